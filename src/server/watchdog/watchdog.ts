import { Worker } from 'node:worker_threads';
import type { LogSettings } from '../../core/log-settings.js';

/**
 * Exit code of a process that the watchdog ends (EX_SOFTWARE of sysexits.h). A process whose code cannot be interrupted ends
 * with SIGKILL instead.
 */
export const STUCK_EXIT_CODE = 70;

/** Interval of the beats of the event loop, and of the readings of the thread, in milliseconds. */
const BEAT_INTERVAL_MS = 500;

/** Positions in the memory that the event loop and the thread share. */
export const [BEAT, LIMIT_SECONDS] = [0, 1] as const;

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

/** A watchdog of the event loop of this process. */
export interface Watchdog {
  /** Sets the limit, and where the watchdog reports; unnamed parts stay. A limit of 0 ends the watchdog. */
  readonly configure: (seconds: number, output?: Partial<WatchdogOutput>) => void;
  readonly close: () => Promise<void>;
}

/** A watchdog that watches nothing. */
export const NO_WATCHDOG: Watchdog = { configure: () => undefined, close: () => Promise.resolve() };

const DEFAULT_OUTPUT: WatchdogOutput = {
  kind: 'log',
  log: { format: 'auto', file: null },
  fields: {},
  prefix: '',
};

/**
 * Starts a thread that ends the process if code uses the event loop for more than `seconds` of CPU time without returning: a
 * plugin in an endless loop, which no signal and no time limit of the event loop can end.
 */
export function startWatchdog(seconds: number, given: Partial<WatchdogOutput> = {}): Watchdog {
  const memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  const cells = new Int32Array(memory);
  cells[LIMIT_SECONDS] = seconds;
  let output: WatchdogOutput = { ...DEFAULT_OUTPUT, ...given };
  const workerData: WatchdogThreadData = { memory, intervalMs: BEAT_INTERVAL_MS, output };
  const thread = new Worker(new URL('./watchdog-thread.js', import.meta.url), { workerData, env: {} });
  thread.unref();
  thread.on('error', (error) => {
    process.emitWarning(`the watchdog has ended; code that does not return is not found: ${error.message}`);
  });
  const beat = setInterval(() => {
    Atomics.add(cells, BEAT, 1);
  }, BEAT_INTERVAL_MS);
  beat.unref();
  const close = async (): Promise<void> => {
    clearInterval(beat);
    await thread.terminate();
  };
  return {
    configure(limitSeconds, changes) {
      if (limitSeconds === 0) {
        void close();
        return;
      }
      output = { ...output, ...changes };
      thread.postMessage(output);
      Atomics.store(cells, LIMIT_SECONDS, limitSeconds);
    },
    close,
  };
}
