/** Levels of the platform, from the loudest to the quietest voice. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace', 'spam'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Facts that go with a message. Never a secret in the clear: a `Secret` prints as `[secret]`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one line per call: a message in lower case and the facts as fields. */
export interface Log extends Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>> {
  /** A log whose lines all carry these fields. */
  with(fields: LogFields): Log;
}

const ignore = (): void => undefined;

/** A log that nobody reads. */
export const silentLog: Log = {
  error: ignore,
  warn: ignore,
  info: ignore,
  debug: ignore,
  trace: ignore,
  spam: ignore,
  with: () => silentLog,
};
