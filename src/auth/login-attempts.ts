import type { Clock } from '../core/lib/clock.js';
import type { AttemptKind, ThrottleKey, AttemptStore, LockedOutKey } from '../core/login-attempts.js';
import type { AttemptSettings } from '../core/settings.js';
import { networkOf } from './network-prefix.js';

/** Who guesses, as far as it can be told. */
export interface LoginSource {
  /** A name of the configuration, or what stands for another one. */
  readonly name: string;
  readonly isKnown: boolean;
  /** The peer's IP address. */
  readonly address: string;
}

/** Counts wrong passwords by name and by address, within a window of time that begins with the first. */
export interface LoginAttempts {
  /** Milliseconds until the next one is looked at, as far as this node knows; 0 when it is at once. */
  waitMs(guesser: LoginSource, settings: AttemptSettings): number;
  /**
   * Counts one, before it is known to be wrong: others may come meanwhile. The result takes it back. Counts nothing and
   * resolves to nothing where the nodes together have counted enough; `waitMs` knows it from then on.
   */
  count(guesser: LoginSource, settings: AttemptSettings): Promise<(() => void) | undefined>;
}

export interface AttemptsOptions {
  readonly clock: Clock;
  /** Counts of all nodes; absent, or while it fails, this one counts alone. */
  readonly shared?: AttemptStore | undefined;
  /** Most names, and most addresses, that are kept; the oldest goes first. */
  readonly size?: number;
}

interface Count {
  count: number;
  /** First millisecond at which it does not count any more. */
  readonly until: number;
}

/** Makes the counts. They outlive reloads: a change of the configuration must not be a way to guess on. */
export function createAttempts({ clock, shared, size = 10_000 }: AttemptsOptions): LoginAttempts {
  // Apart, so that nobody can push the counts of accounts out with names that do not exist.
  const counts: Readonly<Record<AttemptKind, Map<string, Count>>> = {
    account: new Map(),
    stranger: new Map(),
    network: new Map(),
  };

  function entryAt({ kind, name }: ThrottleKey): Count | undefined {
    const entry = counts[kind].get(name);
    if (entry && clock.now() < entry.until) return entry;
    counts[kind].delete(name);
    return undefined;
  }

  function enter({ kind, name }: ThrottleKey, entry: Count): void {
    counts[kind].set(name, entry);
    forgetOldest(counts[kind], size);
  }

  function countHere(places: readonly ThrottleKey[]): () => void {
    const counted = places.map((place) => {
      const entry = entryAt(place) ?? { count: 0, until: clock.now() + place.windowMs };
      entry.count += 1;
      enter(place, entry);
      return entry;
    });
    return () => {
      for (const entry of counted) entry.count -= 1;
    };
  }

  function lock({ place, until }: LockedOutKey): void {
    enter(place, { count: place.limit, until: Math.min(until, clock.now() + place.windowMs) });
  }

  return {
    waitMs(guesser, settings) {
      const waits = placesOf(guesser, settings).map((place) => {
        const entry = entryAt(place);
        return entry && entry.count >= place.limit ? entry.until - clock.now() : 0;
      });
      return Math.max(...waits);
    },
    async count(guesser, settings) {
      const places = placesOf(guesser, settings);
      const takeBackHere = countHere(places);
      const verdict = await shared?.count(places, Math.floor(clock.now())).catch(() => 'unknown' as const);
      if (verdict === undefined || verdict === 'unknown')
        return () => {
          takeBackHere();
          // One too many until the window is over is the safe side.
          if (verdict === undefined) void shared?.takeBack(places).catch(() => undefined);
        };
      takeBackHere();
      lock(verdict);
      return undefined;
    },
  };
}

function placesOf(
  { name, isKnown, address }: LoginSource,
  settings: AttemptSettings,
): readonly ThrottleKey[] {
  const windowMs = settings.windowSeconds * 1000;
  return [
    { kind: isKnown ? 'account' : 'stranger', name, limit: settings.perUser, windowMs },
    { kind: 'network', name: networkOf(address), limit: settings.perAddress, windowMs },
  ];
}

/** A Map lists its keys in the order of insertion. */
function forgetOldest(counts: Map<string, Count>, size: number): void {
  if (counts.size <= size) return;
  for (const oldest of counts.keys()) {
    counts.delete(oldest);
    return;
  }
}
