/** What a walk through a value costs and how deep it may go. */
export interface Meter {
  readonly spend: (steps: number) => void;
  /** The meter one level further down. */
  readonly deeper: () => Meter;
}

/** Deepest nesting of a value that is compared as a whole. */
const DEEPEST = 500;

/** A meter whose steps are paid by `spend`, which throws when there is nothing left. */
export function meterOf(spend: (steps: number) => void, depth = 0): Meter {
  return {
    spend,
    deeper() {
      // No fuel is that large: whoever pays ends here.
      if (depth >= DEEPEST) spend(Number.MAX_SAFE_INTEGER);
      return meterOf(spend, depth + 1);
    },
  };
}
