import { Worker } from 'node:worker_threads';
import { BEAT, LIMIT_SECONDS, type WatchdogOutput, type WatchdogThreadData } from './protocol.js';

/** Interval of the beats of the event loop, and of the readings of the thread, in milliseconds. */
const BEAT_INTERVAL_MS = 500;

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
