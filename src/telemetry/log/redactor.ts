import { encodingsOf } from '../../core/secret-patterns.js';
import type { Redactor } from '../../core/secret.js';
import { type Clock, monotonicScheduler } from '../../lib/clock.js';
import {
  addTo,
  indexOf,
  type PatternIndex,
  MAX_SLOTS,
  maskPatterns,
  removeFrom,
  SHORTEST,
} from '../../lib/pattern-index.js';

/** How long a released value is still masked, in milliseconds, because late errors may contain it. */
const RELEASED_MS = 3_600_000;

/** A value that is in use, or that was released and is still masked. */
interface Known {
  holders: number;
  readonly encodings: readonly string[];
}

/**
 * Creates a redactor that reads each character of a text once, regardless of the number of values. A rolling
 * hash of six characters finds candidate positions, and values are compared only there. `clock` must be monotonic, so that a
 * change of the system time does not keep released values.
 */
export function createRedactor(clock: Clock = monotonicScheduler): Redactor {
  const known = new Map<string, Known>();
  let index: PatternIndex | undefined;
  // Sessions of orchestrators change often; a new or an expired value must not require indexing all values again.
  const learn = (value: string): Known => {
    const entry = { holders: 0, encodings: encodingsOf(value) };
    known.set(value, entry);
    if (index) addTo(index, entry.encodings);
    return entry;
  };
  const released = createReleased(clock, (value) => {
    if (index) removeFrom(index, known.get(value)?.encodings ?? []);
    known.delete(value);
  });
  const release = (values: readonly string[]): void => {
    for (const value of values) {
      const entry = known.get(value);
      if (!entry) continue;
      entry.holders -= 1;
      if (entry.holders === 0) released.add(value);
    }
  };
  const indexAll = (): PatternIndex => {
    const all = indexOf([], MAX_SLOTS);
    for (const { encodings } of known.values()) addTo(all, encodings);
    return all;
  };
  return {
    add(values) {
      const held = [...new Set(values)].filter((value) => value.length >= SHORTEST);
      for (const value of held) {
        const entry = known.get(value) ?? learn(value);
        entry.holders += 1;
        released.remove(value);
      }
      let isReleased = false;
      return () => {
        if (!isReleased) release(held);
        isReleased = true;
      };
    },
    redact(text) {
      released.forgetExpired();
      if (known.size === 0) return text;
      index ??= indexAll();
      return maskPatterns(text, index);
    },
  };
}

/** Values that nothing holds, in the order of their release. */
interface Released {
  add(value: string): void;
  remove(value: string): void;
  /** Forgets the values that were released an hour ago. */
  forgetExpired(): void;
}

function createReleased(clock: Clock, forget: (value: string) => void): Released {
  const ends = new Map<string, number>();
  let nextEnd = Infinity;
  return {
    add(value) {
      const end = clock.now() + RELEASED_MS;
      ends.set(value, end);
      nextEnd = Math.min(nextEnd, end);
    },
    remove: (value) => ends.delete(value),
    forgetExpired() {
      const now = clock.now();
      if (now < nextEnd) return;
      nextEnd = Infinity;
      for (const [value, end] of ends) {
        if (end > now) {
          nextEnd = end;
          return;
        }
        ends.delete(value);
        forget(value);
      }
    },
  };
}
