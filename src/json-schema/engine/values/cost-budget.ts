/** Budget of a walk through a value: its cost and its depth. */
export interface Meter {
  readonly spend: (steps: number) => void;
  /** Returns the meter for the next level. */
  readonly deeper: () => Meter;
}

/** Maximum nesting of a value that is compared as a whole. */
const DEEPEST = 500;

/** Creates a meter that reports its steps to `spend`, which throws when nothing is left. */
export function meterOf(spend: (steps: number) => void, depth = 0): Meter {
  return {
    spend,
    deeper() {
      // No fuel is that large, so a limited run ends here.
      if (depth >= DEEPEST) spend(Number.MAX_SAFE_INTEGER);
      return meterOf(spend, depth + 1);
    },
  };
}
