import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Major version of V8 that removed the flag `--interrupt-budget`: that of Node.js 22. */
const WITHOUT_INTERRUPT_BUDGET = 12;

/** Size of the heap above which garbage is collected early, in bytes. Only the models of whole devices exceed it. */
const LARGE_HEAP_BYTES = 60_000_000;

/**
 * Sets V8 for a compilation of YANG in this process, and returns the clock of the compilation, in milliseconds. V8 optimizes fewer
 * functions, and inlines less in them: a third of a compilation would go into functions that end soon after. The compiler reads the
 * clock at intervals, and each time the heap is measured: once it is large, V8 collects garbage when the heap has grown by
 * about a sixth, where it would wait until the heap has doubled (docs/decisions/0060-readable-before-fast.md).
 */
export function tuneV8(): () => number {
  // V8 prints an error for an unknown flag. Later releases optimize in a cheaper tier first, and need no larger budget.
  if (Number.parseInt(process.versions.v8, 10) < WITHOUT_INTERRUPT_BUDGET)
    setFlagsFromString('--interrupt-budget=400000');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200');
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
