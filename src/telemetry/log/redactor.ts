import {
  addTo,
  encodingsOf,
  indexOf,
  type PatternIndex,
  maskPatterns,
  SHORTEST,
} from '../../core/secret-patterns.js';
import type { Redactor } from '../../core/secret.js';
import { type Clock, systemClock } from '../../lib/clock.js';

/** How long a released value is still masked, in milliseconds, because late errors may contain it. */
const RELEASED_MS = 3_600_000;

/** A value that is in use, or that was released and expires at `until`. */
interface Known {
  holders: number;
  until: number;
  readonly encodings: readonly string[];
}

/**
 * Creates a redactor that reads each character of a text once, regardless of the number of values. A rolling
 * hash of six characters finds candidate positions, and values are compared only there.
 */
export function createRedactor(clock: Clock = systemClock): Redactor {
  const known = new Map<string, Known>();
  let index: PatternIndex | undefined;
  let nextExpiry = Infinity;

  // Sessions of orchestrators change often; a new value must not require indexing all values again.
  const learn = (value: string): Known => {
    const entry = { holders: 0, until: Infinity, encodings: encodingsOf(value) };
    known.set(value, entry);
    if (index) addTo(index, entry.encodings);
    return entry;
  };
  const release = (values: readonly string[]): void => {
    for (const value of values) {
      const entry = known.get(value);
      if (!entry) continue;
      entry.holders -= 1;
      entry.until = clock.now() + RELEASED_MS;
      if (entry.holders === 0) nextExpiry = Math.min(nextExpiry, entry.until);
    }
  };
  const removeExpired = (): void => {
    const expired = [...known].filter(([, { holders, until }]) => holders === 0 && until <= clock.now());
    for (const [value] of expired) known.delete(value);
    const released = [...known.values()].filter(({ holders }) => holders === 0);
    nextExpiry = Math.min(Infinity, ...released.map(({ until }) => until));
    index = undefined;
  };

  return {
    add(values) {
      const held = [...new Set(values)].filter((value) => value.length >= SHORTEST);
      for (const value of held) {
        const entry = known.get(value) ?? learn(value);
        entry.holders += 1;
      }
      let released = false;
      return () => {
        if (!released) release(held);
        released = true;
      };
    },
    redact(text) {
      if (clock.now() >= nextExpiry) removeExpired();
      if (known.size === 0) return text;
      index ??= indexOf([...known.values()].flatMap(({ encodings }) => encodings));
      return maskPatterns(text, index);
    },
  };
}
