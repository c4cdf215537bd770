import { totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** Measures the load of the process. */
export interface LoadSampler {
  /**
   * Returns the mean delay of the event loop since the last sample, in milliseconds. The mean weights each
   * turn of the loop by its length, because more calls arrive during a long turn than during a short turn.
   */
  readonly delayMs: () => number;
  readonly memory: () => MemoryUse;
}

/** Use of memory, in percent. */
export interface MemoryUse {
  /**
   * What objects and buffers need: of the heap limit, or of the memory available to the process, whichever is higher.
   */
  readonly needed: number;
  /**
   * What the process holds of the memory available to it. After a peak this stays high, because the allocator keeps
   * freed memory for later use.
   */
  readonly resident: number;
}

/** Sampling interval of the event loop, in milliseconds. */
const LOOP_RESOLUTION_MS = 10;

/** Starts measuring this process; `close` stops the measurement. */
export function openLoadSampler(): LoadSampler & { readonly close: () => void } {
  const loopDelays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loopDelays.enable();
  let latest = 0;
  return {
    delayMs() {
      const { count, mean, stddev } = loopDelays;
      if (count > 0) latest = Math.max(0, (mean + stddev ** 2 / mean) / 1e6 - LOOP_RESOLUTION_MS);
      loopDelays.reset();
      return latest;
    },
    memory() {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      const { external, rss } = process.memoryUsage();
      // Without a memory limit, the process can use the memory of the whole machine.
      const available = Math.min(process.constrainedMemory() || Infinity, totalmem());
      return {
        needed: 100 * Math.max(used / limit, (used + external) / available),
        resident: (100 * rss) / available,
      };
    },
    close: () => {
      loopDelays.disable();
    },
  };
}
