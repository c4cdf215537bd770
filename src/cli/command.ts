/** Parts of the process that a command may use. Tests provide their own implementation. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes results, which scripts read. */
  out(text: string): void;
  /** Writes messages for people. */
  err(text: string): void;
  /** Reads a line from the terminal without echo, or all of standard input if it is not a terminal. */
  readPassword(prompt: string): Promise<string>;
  /** Registers a listener for SIGHUP. */
  onHangup(listener: () => void): void;
  /** Registers a listener for SIGUSR2. */
  onRestart(listener: () => void): void;
  /** Registers a listener for uncaught exceptions and unhandled rejections, and keeps the process alive. */
  onStray(listener: (error: unknown) => void): void;
  /** Resolves on the first SIGTERM or SIGINT. */
  stopped(): Promise<void>;
}

/** Command of `gatehouse`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Text of `--help`, without a trailing line break. */
  readonly help: string;
  /** Commands under `gatehouse <name> <second word>`. Their names contain both words. */
  readonly commands?: readonly Command[];
  /** Resolves to the exit code. */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

/** Exit codes from sysexits.h, so that a supervisor can distinguish a typo from an outage. */
export const EXIT = { ok: 0, failed: 1, usage: 64, unavailable: 75, denied: 77, config: 78 } as const;

/** Invalid command line. The message describes the error. */
export class UsageError extends Error {}
