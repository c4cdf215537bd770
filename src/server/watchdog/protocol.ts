import type { LogSettings } from '../../settings/log.js';

/**
 * Exit code of a process that the watchdog ends (EX_SOFTWARE of sysexits.h). A process whose code cannot be interrupted ends
 * with SIGKILL instead.
 */
export const STUCK_EXIT_CODE = 70;

/** Positions in the memory that the event loop and the thread share. */
export const BEAT = 0;
export const LIMIT_SECONDS = 1;

/** Where the thread reports that the event loop is stuck. */
export interface WatchdogOutput {
  /** A line for people on standard error, or a line of the log on standard output and in the file of the log. */
  readonly kind: 'message' | 'log';
  /** Settings of the log. */
  readonly log: Pick<LogSettings, 'format' | 'file'>;
  /** Fields of each line of the log of this process. */
  readonly fields: Readonly<Record<string, number>>;
  /** First words of a message. */
  readonly prefix: string;
}

/** `workerData` of the thread. */
export interface WatchdogThreadData {
  readonly memory: SharedArrayBuffer;
  readonly intervalMs: number;
  readonly output: WatchdogOutput;
}
