import { setFlagsFromString } from 'node:v8';

/** Major version of V8 that removed the flag `--interrupt-budget`: that of Node.js 22. */
const WITHOUT_INTERRUPT_BUDGET = 12;

/**
 * Makes V8 optimize fewer functions, and inline less in them. A compilation takes seconds, a third of which V8 would spend
 * on the optimization of functions that end soon after. Applies to the whole process.
 */
export function optimizeSparingly(): void {
  // V8 prints an error for an unknown flag. Later releases optimize in a cheaper tier first, and need no larger budget.
  if (Number.parseInt(process.versions.v8, 10) < WITHOUT_INTERRUPT_BUDGET)
    setFlagsFromString('--interrupt-budget=400000');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200');
}
