import { BoundedMap } from '../core/lib/bounded-map.js';
import type { Clock } from '../core/lib/clock.js';
import type { AttemptKind, AttemptStore, LockedOutKey, ThrottleKey } from '../core/login.js';
import type { AttemptSettings } from '../core/settings.js';

/** Source of a login attempt. */
export interface LoginSource {
  /** A configured name, or the pseudonym of an unknown name. */
  readonly name: string;
  readonly isKnown: boolean;
  /** The peer's IP address. */
  readonly address: string;
}

/** Counts of wrong passwords by name and by address. A time window begins with the first wrong password. */
export interface LoginAttempts {
  /**
   * Returns the time until the next permitted attempt, in milliseconds, according to this node; 0 if an
   * attempt is permitted now.
   */
  waitMs(source: LoginSource, settings: AttemptSettings): number;
  /**
   * Counts an attempt before its result is known, because other attempts may arrive meanwhile. Resolves to a
   * function that reverts the count. If all nodes together have reached the limit, counts nothing and
   * resolves to undefined; `waitMs` then returns the duration of the lockout.
   */
  count(source: LoginSource, settings: AttemptSettings): Promise<(() => void) | undefined>;
}

export interface AttemptsOptions {
  readonly clock: Clock;
  /** Store of the counts of all nodes. If the store is absent or fails, this node counts alone. */
  readonly shared?: AttemptStore | undefined;
  /** Maximum number of entries per kind; the least recently used entry is removed first. */
  readonly size?: number;
}

interface AttemptCount {
  count: number;
  /** Time of expiry, in milliseconds of the clock; an expired entry does not count. */
  readonly until: number;
}

/**
 * Creates the counts. The counts outlive reloads, so that a change of the configuration does not permit more
 * guesses.
 */
export function createAttempts({ clock, shared, size = 10_000 }: AttemptsOptions): LoginAttempts {
  // The maps are separate, so that unknown names cannot displace the counts of accounts.
  const counts: Readonly<Record<AttemptKind, BoundedMap<string, AttemptCount>>> = {
    account: new BoundedMap({ maxEntries: size }),
    stranger: new BoundedMap({ maxEntries: size }),
    network: new BoundedMap({ maxEntries: size }),
  };

  function entryAt({ kind, name }: ThrottleKey): AttemptCount | undefined {
    const entry = counts[kind].get(name);
    if (entry && clock.now() < entry.until) return entry;
    counts[kind].delete(name);
    return undefined;
  }

  function countLocally(keys: readonly ThrottleKey[]): () => void {
    const entries = keys.map((key) => {
      const entry = entryAt(key) ?? { count: 0, until: clock.now() + key.windowMs };
      entry.count += 1;
      counts[key.kind].set(key.name, entry);
      return entry;
    });
    return () => {
      for (const entry of entries) entry.count -= 1;
    };
  }

  function lock({ place: key, until }: LockedOutKey): void {
    counts[key.kind].set(key.name, { count: key.limit, until: Math.min(until, clock.now() + key.windowMs) });
  }

  return {
    waitMs(source, settings) {
      const waits = throttleKeysOf(source, settings).map((key) => {
        const entry = entryAt(key);
        return entry && entry.count >= key.limit ? entry.until - clock.now() : 0;
      });
      return Math.max(...waits);
    },
    async count(source, settings) {
      const keys = throttleKeysOf(source, settings);
      const uncountLocally = countLocally(keys);
      const sharedResult = await shared?.count(keys, Math.floor(clock.now())).catch(() => 'unknown' as const);
      if (sharedResult === undefined || sharedResult === 'unknown')
        return () => {
          uncountLocally();
          // After a failure, the count is one too high until the window ends, which is the safe side.
          if (sharedResult === undefined) void shared?.takeBack(keys).catch(() => undefined);
        };
      uncountLocally();
      lock(sharedResult);
      return undefined;
    },
  };
}

function throttleKeysOf(
  { name, isKnown, address }: LoginSource,
  settings: AttemptSettings,
): readonly ThrottleKey[] {
  const windowMs = settings.windowSeconds * 1000;
  return [
    { kind: isKnown ? 'account' : 'stranger', name, limit: settings.perUser, windowMs },
    { kind: 'network', name: networkOf(address), limit: settings.perAddress, windowMs },
  ];
}

/**
 * Returns the key that counts wrong passwords from an address: an IPv4 address in its plain form, or the /64
 * network of an IPv6 address, because a host can use every address of its /64 network.
 */
export function networkOf(address: string): string {
  const host = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (!host.includes(':')) return host;
  const [head = [], tail] = host
    .toLowerCase()
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = tail ? Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0') : [];
  const groups = [...head, ...zeros, ...(tail ?? [])].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
