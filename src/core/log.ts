/** Log levels of the platform, from the most to the least important. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace', 'spam'] as const;
/** A log level of the platform, from `error`, the most important one, to `spam`. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields of a log line. Never contain a plain-text secret; a `Secret` prints as `[secret]`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Logger with one method per level. Each call writes one line: a message in lower case, and fields. */
export interface Log extends Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>> {
  /** Returns a log that adds these fields to every line. */
  with(fields: LogFields): Log;
  /** Returns false if no output writes lines of this level; absent: every level is written. */
  readonly isWritten?: (level: LogLevel) => boolean;
}

/** Returns false if a line of this level would be discarded; the caller then does not create it. */
export function isWritten(log: Log, level: LogLevel): boolean {
  return log.isWritten?.(level) ?? true;
}

const discard = (): void => undefined;

/** A log that discards all lines. */
export const silentLog: Log = {
  error: discard,
  warn: discard,
  info: discard,
  debug: discard,
  trace: discard,
  spam: discard,
  with: () => silentLog,
  isWritten: () => false,
};

/** A recent log line. */
export interface LogLine {
  /** Number of the line in this process, from 1. */
  readonly id: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  /** Plain JSON values, without secrets. */
  readonly fields: LogFields;
}

/** Filters for recent lines. */
export interface LineQuery {
  /** Selects the lines of this adapter; absent: all lines. */
  readonly adapter?: string;
  /** Selects the lines of this request; absent: all lines. */
  readonly requestId?: string;
  /** Selects lines of this level and of more important levels. */
  readonly level: LogLevel;
  /** Selects lines with a higher id. */
  readonly after: number;
  /** Maximum number of lines; older lines are omitted. */
  readonly most: number;
}

/** Result of a line query. */
export interface FoundLines {
  /** Oldest first. */
  readonly lines: readonly LogLine[];
  /** Id of the latest line, even if that line does not match. */
  readonly latest: number;
  /** True if some lines after `after` have already been discarded. */
  readonly missed: boolean;
}

/** Finds recent lines. */
export type FindLines = (query: LineQuery) => FoundLines;
