import { type Clock, systemClock } from '../../core/lib/clock.js';
import type { Redactor } from '../../core/redactor.js';
import { addTo, type Index, indexOf, maskPatterns } from './pattern-index.js';
import { SHORTEST, encodingsOf } from './encodings.js';

/** How long a value that has been replaced is still masked, in milliseconds: late errors may tell of it. */
const KEPT_MS = 3_600_000;

/** A value that somebody holds, or that was let go of at a time. */
interface Known {
  holders: number;
  until: number;
  readonly encodings: readonly string[];
}

/**
 * Makes a redactor that takes one look at each character of a text, however many values it knows: a rolling hash of
 * six characters finds the places where a value may begin, and only there are values compared.
 */
export function createRedactor(clock: Clock = systemClock): Redactor {
  const known = new Map<string, Known>();
  let index: Index | undefined;
  let nextEnd = Infinity;

  // Sessions of orchestrators come and go: with each of them, the work must not be that of all.
  const learn = (value: string): Known => {
    const entry = { holders: 0, until: Infinity, encodings: encodingsOf(value) };
    known.set(value, entry);
    if (index) addTo(index, entry.encodings);
    return entry;
  };
  const letGo = (values: readonly string[]): void => {
    for (const value of values) {
      const entry = known.get(value);
      if (!entry) continue;
      entry.holders -= 1;
      entry.until = clock.now() + KEPT_MS;
      if (entry.holders === 0) nextEnd = Math.min(nextEnd, entry.until);
    }
  };
  const forgetEnded = (): void => {
    const ended = [...known].filter(([, { holders, until }]) => holders === 0 && until <= clock.now());
    for (const [value] of ended) known.delete(value);
    const released = [...known.values()].filter(({ holders }) => holders === 0);
    nextEnd = Math.min(Infinity, ...released.map(({ until }) => until));
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
        if (!released) letGo(held);
        released = true;
      };
    },
    redact(text) {
      if (clock.now() >= nextEnd) forgetEnded();
      if (known.size === 0) return text;
      index ??= indexOf([...known.values()].flatMap(({ encodings }) => encodings));
      return maskPatterns(text, index);
    },
  };
}
