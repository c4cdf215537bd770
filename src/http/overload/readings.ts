import { totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** How hard the process works at this moment. */
export interface Readings {
  /**
   * By how much the quickest turn of the event loop since the last reading was late, in milliseconds. One long turn
   * says nothing while there are short ones beside it; work that has piled up makes all of them long.
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
      if (turns.count > 0) latest = Math.max(0, turns.min / 1e6 - RESOLUTION_MS);
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
