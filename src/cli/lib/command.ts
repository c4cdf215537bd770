import type { Writable } from 'node:stream';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { didYouMean } from '../../lib/closest-name.js';
import { errorMessage } from '../../lib/error-message.js';
import { printable } from '../../lib/escape-unprintable.js';
import { STUCK_EXIT_CODE, type WatchdogOutput } from '../../server/watchdog/protocol.js';
import type { Watchdog } from '../../server/watchdog/watchdog.js';

/** Parts of the process that a command may use. Tests provide their own implementation. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes results, which scripts read. */
  out(text: string): void;
  /** Writes messages for people. */
  err(text: string): void;
  /** Resolves when everything written so far has left the process: a pipe takes output as fast as its reader reads. */
  flush(): Promise<void>;
  /** Receives the lines of the log; absent: standard output. */
  readonly logStream?: Writable | undefined;
  /** Reads a line from the terminal without echo, or all of standard input if it is not a terminal. */
  readPassword(prompt: string): Promise<string>;
  /** Opens a page in the browser of the user, if there is one. Never fails. */
  openBrowser(url: string): void;
  /** Registers a listener for SIGHUP. */
  onHangup(listener: () => void): void;
  /** Registers a listener for SIGUSR2. */
  onRestart(listener: () => void): void;
  /** Registers a listener for uncaught exceptions and unhandled rejections, and keeps the process alive. */
  onStray(listener: (error: unknown) => void): void;
  /** Starts a watchdog of the event loop of this process. */
  startWatchdog(seconds: number, output: Partial<WatchdogOutput>): Watchdog;
  /**
   * Registers a listener for SIGTERM, SIGINT and SIGQUIT, which receives the name of the signal. The returned function
   * removes the listener; the next signal then ends the process.
   */
  onStop(listener: (signal: string) => void): () => void;
}

/** Command of `gatehouse`. */
export interface Command {
  readonly name: string;
  /** Text of `--help`, without a trailing line break. */
  readonly help: string;
  /** Commands under `gatehouse <name> <second word>`. Their names contain both words. */
  readonly commands?: readonly Subcommand[];
  /** Resolves to the exit code. */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

/** Command under `gatehouse <name> <second word>`. */
export interface Subcommand extends Command {
  /** Second word with its main options, in the help text of the first word. */
  readonly usage: string;
  /** Line of the command in the help text of the first word. */
  readonly summary: string;
}

/** Command that is loaded when it is used, because loading all commands takes most of the time of a short one. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/**
 * Exit codes from sysexits.h, so that a supervisor can distinguish a typo from an outage. The watchdog ends a process with the
 * code `stuck`.
 */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 64,
  stuck: STUCK_EXIT_CODE,
  unavailable: 75,
  denied: 77,
  config: 78,
} as const;

/** Invalid command line. The message describes the error. */
export class UsageError extends Error {}

type OptionTypes = NonNullable<ParseArgsConfig['options']>;
interface CommandLine<T extends OptionTypes> {
  args: string[];
  options: T;
  strict: true;
}

/** Parses options by name. Throws a UsageError for unknown options and stray words. */
export function parseOptions<const T extends OptionTypes>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<CommandLine<T>>>['values'] {
  try {
    return parseArgs<CommandLine<T>>({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw usageError(error, options);
  }
}

/** Parses options and positional arguments, as {@link parseOptions} does. */
export function parsePositionals<const T extends OptionTypes>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<CommandLine<T> & { allowPositionals: true }>> {
  try {
    return parseArgs<CommandLine<T> & { allowPositionals: true }>({
      args: [...args],
      options,
      strict: true,
      allowPositionals: true,
    });
  } catch (error) {
    throw usageError(error, options);
  }
}

/** Returns the error of a command line that Node cannot parse, with the option that an unknown option resembles. */
function usageError(error: unknown, options: OptionTypes): UsageError {
  const message = errorMessage(error);
  const [, dashes = '', name] = /^Unknown option '(--?)([^']+)'/.exec(message) ?? [];
  if (name === undefined) return new UsageError(message);
  return new UsageError(
    `there is no option "${dashes}${name}"${suggestedOption(name, Object.keys(options))}`,
  );
}

function suggestedOption(name: string, known: readonly string[]): string {
  return didYouMean(
    `--${name}`,
    known.map((option) => `--${option}`),
  );
}

/**
 * Returns the path of the configuration: `--config`, else `GATEHOUSE_CONFIG`, else the default file of a
 * checkout.
 */
export function configPath(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return given ?? env['GATEHOUSE_CONFIG'] ?? 'config/gatehouse.yaml';
}

/** Help text of the option that most commands share. */
export const CONFIG_OPTION_HELP =
  '  --config PATH   configuration file (default: $GATEHOUSE_CONFIG, else config/gatehouse.yaml)';

/** Creates a command that has further commands and does nothing itself. */
export function commandGroup(name: string, commands: readonly Subcommand[]): Command {
  const words = commands.map((command) => command.name.slice(name.length + 1));
  const width = Math.max(7, ...commands.map(({ usage }) => usage.length));
  return {
    name,
    help: `Usage: gatehouse ${name} COMMAND [OPTIONS]

Commands:
${commands.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}\n`).join('')}
Run "gatehouse ${name} COMMAND --help" for the options of a command.`,
    commands,
    run([word]) {
      const given = word === undefined ? '' : `, not "${word}"`;
      throw new UsageError(`name a command: ${words.join(' or ')}${given}`);
    },
  };
}

/** Formats rows as aligned columns and indents each line by two spaces. The first row may be the heading. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return cells.map((row) => `  ${line(row)}\n`).join('');
}
