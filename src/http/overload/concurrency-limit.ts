import type { OverloadSettings } from '../../core/settings.js';

/** How many calls may be in flight. */
export interface CallLimit {
  readonly isBeyond: (calls: number) => boolean;
  /** Takes how late calls begin since the last look, in milliseconds. */
  readonly sample: (delayMs: number) => void;
}

/** So many calls are welcome although they wait: a few dozen callers who wait for each answer are no overload. */
const FEW = 64;

/** Times `loopDelayMs` that these may wait: of very heavy calls, fewer are welcome, and so many always. */
const LONG = 10;
const ALWAYS = 16;

/** Looks among which a second late one must be: one long turn is no overload. */
const MEMORY = 5;

/** Of the calls in flight, what is left room for after a late look, and what the room grows by after another. */
const LESS = 0.7;
const MORE = 1.1;

/**
 * Makes a limit that finds out how many calls the machine can carry: fewer than are in flight while the event loop is late, and
 * a few more whenever it is not, up to `calls`.
 */
export function createCallLimit({
  calls: most,
  loopDelayMs,
}: Omit<OverloadSettings, 'memoryPercent'>): CallLimit {
  let limit = most;
  let seen = 0;
  let sinceLate = Infinity;
  return {
    isBeyond(calls) {
      seen = Math.max(seen, calls);
      return calls > limit;
    },
    sample(delayMs) {
      const isLate = delayMs > loopDelayMs;
      const least = delayMs > loopDelayMs * LONG ? ALWAYS : FEW;
      if (!isLate) limit = Math.min(most, limit * MORE);
      else if (sinceLate < MEMORY) limit = Math.min(limit, Math.max(least, Math.min(limit, seen) * LESS));
      sinceLate = isLate ? 1 : sinceLate + 1;
      seen = 0;
    },
  };
}
