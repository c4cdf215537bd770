import { totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** How hard the process works at this moment. */
export interface Readings {
  /**
   * How late the event loop was since the last reading, in milliseconds: the mean length of its turns, weighted with itself,
   * since more calls come in a long turn than in a short one.
   */
  readonly delayMs: () => number;
  /** The fuller one of the heap and the memory that the process may use, in percent. */
  readonly memoryPercent: () => number;
}

/** Pause between two looks at the event loop, in milliseconds. */
const RESOLUTION_MS = 10;

/** Begins to watch this process, until it is closed. */
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
      // Without a limit of its own the process shares what the machine has.
      const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
      return 100 * Math.max(used / limit, process.memoryUsage.rss() / memory);
    },
    close: () => {
      turns.disable();
    },
  };
}
