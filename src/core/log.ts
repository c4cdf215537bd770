/** Log levels of the platform, from the most to the least important. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace', 'spam'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields of a log line. Never contain a plain-text secret; a `Secret` prints as `[secret]`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Logger with one method per level. Each call writes one line: a message in lower case, and fields. */
export interface Log extends Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>> {
  /** Returns a log that adds these fields to every line. */
  with(fields: LogFields): Log;
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
};
