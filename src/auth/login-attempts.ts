import type { Clock } from '../core/lib/clock.js';
import type { AttemptKind, AttemptStore, LockedOutKey, ThrottleKey } from '../core/login-attempts.js';
import type { AttemptSettings } from '../core/settings.js';

/** Source of a login attempt. */
export interface LoginSource {
  /** A configured name, or the replacement for an unknown name. */
  readonly name: string;
  readonly isKnown: boolean;
  /** The peer's IP address. */
  readonly address: string;
}

/**
 * Counts of wrong passwords by name and by address, in a time window that begins with the first wrong
 * password.
 */
export interface LoginAttempts {
  /**
   * Returns the milliseconds until the next attempt is allowed, according to this node; 0 if it is allowed
   * now.
   */
  waitMs(guesser: LoginSource, settings: AttemptSettings): number;
  /**
   * Counts an attempt before its result is known, because others may arrive meanwhile. Resolves to a function
   * that takes the count back. If all nodes together have reached the limit, it counts nothing and resolves
   * to undefined; `waitMs` then reports the lock.
   */
  count(guesser: LoginSource, settings: AttemptSettings): Promise<(() => void) | undefined>;
}

export interface AttemptsOptions {
  readonly clock: Clock;
  /** Counts of all nodes. If they are absent or fail, this node counts alone. */
  readonly shared?: AttemptStore | undefined;
  /** Maximum number of names, and of addresses; the oldest entry is removed first. */
  readonly size?: number;
}

interface Count {
  count: number;
  /** Time of expiry, in milliseconds; the entry does not count from then on. */
  readonly until: number;
}

/**
 * Creates the counts. They outlive reloads, so that a change of the configuration does not allow more
 * guesses.
 */
export function createAttempts({ clock, shared, size = 10_000 }: AttemptsOptions): LoginAttempts {
  // Separate maps, so that names that do not exist cannot displace the counts of accounts.
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
          // If this fails, one count too many until the window ends is the safe side.
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

/** Removes the oldest entry: a Map lists its keys in the order of insertion. */
function forgetOldest(counts: Map<string, Count>, size: number): void {
  if (counts.size <= size) return;
  for (const oldest of counts.keys()) {
    counts.delete(oldest);
    return;
  }
}

/**
 * Returns the name under which wrong passwords from an address are counted. This is an IPv4 address itself,
 * however it is written, or the /64 network of an IPv6 address, because one host can use any address in it.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':')) return plain;
  const [left = [], right] = plain
    .toLowerCase()
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = right ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  const groups = [...left, ...zeros, ...(right ?? [])].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
