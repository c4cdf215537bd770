/** What a command may use of the process. Tests hand in their own. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results: what a script reads. */
  out(text: string): void;
  /** Everything said to a person. */
  err(text: string): void;
  /** A line from the terminal without echo, or all of standard input when it is no terminal. */
  readPassword(prompt: string): Promise<string>;
  /** Calls back on each SIGHUP. */
  onHangup(listener: () => void): void;
  /** Calls back on each SIGUSR2. */
  onRestart(listener: () => void): void;
  /** Calls back with each error that nobody caught in time, and keeps the process alive. */
  onStray(listener: (error: unknown) => void): void;
  /** Resolves on the first SIGTERM or SIGINT. */
  stopped(): Promise<void>;
}

/** One word after `gatehouse`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Text of `--help`, without a line break at its end. */
  readonly help: string;
  /** What `gatehouse <name> <second word>` may be; their names have both words. */
  readonly commands?: readonly Command[];
  /** Resolves to the exit code. */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

/** Exit codes after sysexits.h, so that a supervisor can tell a typo from an outage. */
export const EXIT = { ok: 0, failed: 1, usage: 64, unavailable: 75, denied: 77, config: 78 } as const;

/** A command line that cannot be understood; the text says what is wrong with it. */
export class UsageError extends Error {}
