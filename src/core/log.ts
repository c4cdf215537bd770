/** Log levels of the platform, from the most to the least important. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace', 'spam'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Data that is logged with a message. Never contains a plain secret; a `Secret` prints as `[secret]`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Logger; each call writes one line: a message in lower case with its fields. */
export interface Log extends Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>> {
  /** Returns a log that adds these fields to every line. */
  with(fields: LogFields): Log;
}

const ignore = (): void => undefined;

/** A log that discards all lines. */
export const silentLog: Log = {
  error: ignore,
  warn: ignore,
  info: ignore,
  debug: ignore,
  trace: ignore,
  spam: ignore,
  with: () => silentLog,
};
