import type { Clock } from '../domain/clock.js';
import type { AttemptSettings } from '../domain/settings.js';
import { networkOf } from './network-of.js';

/** Who guesses, as far as it can be told. */
export interface Guesser {
  /** A name of the configuration, or what stands for another one. */
  readonly name: string;
  readonly isKnown: boolean;
  /** The peer's IP address. */
  readonly address: string;
}

/** Counts wrong passwords by name and by address, within a window of time that begins with the first. */
export interface Attempts {
  /** Milliseconds until the next one is looked at; 0 when it is at once. */
  waitMs(guesser: Guesser, settings: AttemptSettings): number;
  /** Counts one, before it is known to be wrong: others may come meanwhile. The result takes it back. */
  count(guesser: Guesser, settings: AttemptSettings): () => void;
}

interface Count {
  count: number;
  /** First millisecond at which it does not count any more. */
  readonly until: number;
}

/** Most names, and most addresses, that are kept; the oldest goes first. */
const SIZE = 10_000;

/** Makes the counts. They outlive reloads: a change of the configuration must not be a way to guess on. */
export function createAttempts(clock: Clock, size = SIZE): Attempts {
  // Apart, so that nobody can push the counts of accounts out with names that do not exist.
  const known = new Map<string, Count>();
  const unknown = new Map<string, Count>();
  const networks = new Map<string, Count>();

  function placesOf({ name, isKnown, address }: Guesser, settings: AttemptSettings) {
    return [
      { counts: isKnown ? known : unknown, key: name, limit: settings.perUser },
      { counts: networks, key: networkOf(address), limit: settings.perAddress },
    ];
  }

  function entryOf(counts: Map<string, Count>, key: string): Count | undefined {
    const entry = counts.get(key);
    if (entry && clock.now() < entry.until) return entry;
    counts.delete(key);
    return undefined;
  }

  return {
    waitMs(guesser, settings) {
      const waits = placesOf(guesser, settings).map(({ counts, key, limit }) => {
        const entry = entryOf(counts, key);
        return entry && entry.count >= limit ? entry.until - clock.now() : 0;
      });
      return Math.max(...waits);
    },
    count(guesser, settings) {
      const until = clock.now() + settings.windowSeconds * 1000;
      const counted = placesOf(guesser, settings).map(({ counts, key }) => {
        const entry = entryOf(counts, key) ?? { count: 0, until };
        entry.count += 1;
        counts.set(key, entry);
        forgetOldest(counts, size);
        return entry;
      });
      return () => {
        for (const entry of counted) entry.count -= 1;
      };
    },
  };
}

/** A Map lists its keys in the order of insertion. */
function forgetOldest(counts: Map<string, Count>, size: number): void {
  if (counts.size <= size) return;
  for (const oldest of counts.keys()) {
    counts.delete(oldest);
    return;
  }
}
