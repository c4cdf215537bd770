import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Size of the heap above which garbage is collected early, in bytes. Only the models of whole devices exceed it. */
const LARGE_HEAP_BYTES = 60_000_000;

/**
 * Returns the clock of a compilation, in milliseconds. The compiler reads it at intervals, and each time the heap is measured:
 * once it is large, V8 collects garbage when the heap has grown by about a sixth, where it would wait until the heap has
 * doubled. The model of a device lives until the end, so that waiting only adds garbage to it.
 */
export function heapWatchingClock(): () => number {
  // V8 keeps a small heap for new values, which cannot shrink later.
  setFlagsFromString('--semi-space-growth-factor=1');
  let isLarge = false;
  return () => {
    // `process.memoryUsage` would also read a file of the operating system.
    if (!isLarge && getHeapStatistics().used_heap_size > LARGE_HEAP_BYTES) {
      isLarge = true;
      setFlagsFromString('--heap-growing-percent=18');
    }
    return performance.now();
  };
}
