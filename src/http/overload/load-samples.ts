import { totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** Current load of the process. */
export interface Readings {
  /**
   * Returns how late the event loop was since the last reading, in milliseconds: the mean length of its
   * turns, weighted by length, because more calls arrive during a long turn than during a short one.
   */
  readonly delayMs: () => number;
  /** Returns the higher usage of the heap and of the memory available to the process, in percent. */
  readonly memoryPercent: () => number;
}

/** Sampling interval of the event loop, in milliseconds. */
const RESOLUTION_MS = 10;

/** Starts measuring this process until `close`. */
export function openReadings(): Readings & { readonly close: () => void } {
  const turns = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  turns.enable();
  let latest = 0;
  return {
    delayMs() {
      const { count, mean, stddev } = turns;
      if (count > 0) latest = Math.max(0, (mean + stddev ** 2 / mean) / 1e6 - RESOLUTION_MS);
      turns.reset();
      return latest;
    },
    memoryPercent() {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      // A process without a memory limit shares the memory of the machine.
      const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
      return 100 * Math.max(used / limit, process.memoryUsage.rss() / memory);
    },
    close: () => {
      turns.disable();
    },
  };
}
