import { getHeapStatistics } from 'node:v8';
import { availableMemory } from '../../lib/available-memory.js';

/** Measures the load of the process. */
export interface LoadSampler {
  /**
   * Returns the mean delay of the event loop since the last sample, in milliseconds, as far as this process used the processor: a
   * delay by other processes does not become shorter if this process refuses calls. The mean weights each turn of the loop by its
   * length, because more calls arrive during a long turn than during a short turn.
   */
  readonly delayMs: () => number;
  /** Returns the share of the time since the last sample in which this process used the processor, from 0 to 1. */
  readonly processorShare: () => number;
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

/** Sums of the lengths of turns of the event loop. */
interface TurnSums {
  /**
   * Adds the time between two runs of a timer of {@link LOOP_RESOLUTION_MS}, and the processor time of this process in it, both in
   * milliseconds.
   */
  readonly add: (ms: number, processorMs: number) => void;
  /** Returns the mean delay since the last call; the previous result if there was no turn since. */
  readonly takeDelayMs: () => number;
}

/** Creates the sums without turns. */
export function createTurnSums(): TurnSums {
  let [sum, sumOfSquares, latest] = [0, 0, 0];
  return {
    add(ms, processorMs) {
      const ownMs = Math.min(ms, LOOP_RESOLUTION_MS + processorMs);
      sum += ownMs;
      sumOfSquares += ownMs * ownMs;
    },
    takeDelayMs() {
      if (sum > 0) latest = Math.max(0, sumOfSquares / sum - LOOP_RESOLUTION_MS);
      [sum, sumOfSquares] = [0, 0];
      return latest;
    },
  };
}

/** Returns the processor time of this process, in milliseconds. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Starts measuring this process; `close` stops the measurement. */
export function openLoadSampler(): LoadSampler & { readonly close: () => void } {
  const turns = createTurnSums();
  // Not `monitorEventLoopDelay`: the standard deviation of its histogram takes almost a percent of all time.
  let [turnedAt, turnedProcessorMs] = [performance.now(), processorMs()];
  let [sampledAt, sampledProcessorMs] = [turnedAt, turnedProcessorMs];
  const timer = setInterval(() => {
    const [now, used] = [performance.now(), processorMs()];
    turns.add(now - turnedAt, used - turnedProcessorMs);
    [turnedAt, turnedProcessorMs] = [now, used];
  }, LOOP_RESOLUTION_MS).unref();
  return {
    delayMs: () => turns.takeDelayMs(),
    processorShare() {
      const [now, used] = [performance.now(), processorMs()];
      const share = (used - sampledProcessorMs) / Math.max(1, now - sampledAt);
      [sampledAt, sampledProcessorMs] = [now, used];
      return Math.min(1, share);
    },
    memory() {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      const { external, rss } = process.memoryUsage();
      const available = availableMemory();
      return {
        needed: 100 * Math.max(used / limit, (used + external) / available),
        resident: (100 * rss) / available,
      };
    },
    close: () => {
      clearInterval(timer);
    },
  };
}
