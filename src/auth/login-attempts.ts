import type { AttemptKind, AttemptStore, LockedOutKey, ThrottleKey } from '../core/login.js';
import { callerKey, type CallerIdentity } from '../core/principal.js';
import { BoundedMap } from '../lib/bounded-map.js';
import type { Clock } from '../lib/clock.js';
import { networkOf } from '../lib/network-of.js';
import type { AttemptSettings } from '../settings/settings.js';

export interface LoginSource {
  /** A configured name, or the pseudonym of an unknown name. */
  readonly name: string;
  readonly isKnown: boolean;
  /** The peer's IP address. */
  readonly address: string;
}

/** Source of a login attempt with a token or a code. */
export interface TokenAttemptSource extends Pick<LoginSource, 'address'> {
  /** The caller, if the issuer has confirmed who it is. Then the caller counts instead of the address. */
  readonly caller?: CallerIdentity | undefined;
}

/**
 * Counts of wrong passwords by name, by address and by pairs of both, and of wrong tokens by caller or by address. A
 * time window begins with the first wrong password.
 */
interface LoginAttempts {
  /**
   * Returns the time until the next permitted attempt, in milliseconds, according to this node; 0 if an
   * attempt is permitted now.
   */
  waitMs(source: LoginSource | TokenAttemptSource, settings: AttemptSettings): number;
  /**
   * Returns the same time for a name and password that this node has accepted from this address before. Wrong passwords
   * from other addresses do not count, and from this address a higher limit applies.
   */
  waitRememberedMs(source: LoginSource, settings: AttemptSettings): number;
  /** Counts an attempt that was refused unchecked, for the higher limit of `waitRememberedMs`. */
  countRefused(source: LoginSource | TokenAttemptSource, settings: AttemptSettings): void;
  /**
   * Counts an attempt before its result is known, because other attempts may arrive meanwhile. Resolves to a
   * function that reverts the count. If all nodes together have reached the limit, counts nothing and
   * resolves to undefined; `waitMs` then returns the duration of the lockout.
   */
  count(
    source: LoginSource | TokenAttemptSource,
    settings: AttemptSettings,
  ): Promise<(() => void) | undefined>;
}

interface AttemptsOptions {
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

interface LocalCounts {
  readonly entryAt: (key: ThrottleKey) => AttemptCount | undefined;
  /** Increments the counts; returns a function that reverts this. */
  readonly count: (keys: readonly ThrottleKey[]) => () => void;
  /** Sets a count to its limit, because another node has reached it. */
  readonly lock: (lockedOut: LockedOutKey) => void;
  readonly waitMs: (key: ThrottleKey) => number;
}

function createLocalCounts(clock: Clock, size: number): LocalCounts {
  // The maps are separate, so that unknown names cannot displace the counts of accounts.
  const counts: Readonly<Record<AttemptKind, BoundedMap<string, AttemptCount>>> = {
    account: new BoundedMap({ maxEntries: size }),
    stranger: new BoundedMap({ maxEntries: size }),
    network: new BoundedMap({ maxEntries: size }),
    pair: new BoundedMap({ maxEntries: size }),
    token: new BoundedMap({ maxEntries: size }),
  };

  function entryAt({ kind, name }: ThrottleKey): AttemptCount | undefined {
    const entry = counts[kind].get(name);
    if (entry && clock.now() < entry.until) return entry;
    counts[kind].delete(name);
    return undefined;
  }

  return {
    entryAt,
    count(keys) {
      const entries = keys.map((key) => {
        const entry = entryAt(key) ?? { count: 0, until: clock.now() + key.windowMs };
        entry.count += 1;
        counts[key.kind].set(key.name, entry);
        return entry;
      });
      return () => {
        for (const entry of entries) entry.count -= 1;
      };
    },
    lock({ place: key, until }) {
      counts[key.kind].set(key.name, {
        count: key.limit,
        until: Math.min(until, clock.now() + key.windowMs),
      });
    },
    waitMs(key) {
      const entry = entryAt(key);
      return entry && entry.count >= key.limit ? entry.until - clock.now() : 0;
    },
  };
}

/**
 * Creates the counts. The counts outlive reloads, so that a change of the configuration does not permit more
 * guesses.
 */
export function createAttempts({ clock, shared, size = 10_000 }: AttemptsOptions): LoginAttempts {
  const local = createLocalCounts(clock, size);
  return {
    waitMs: (source, settings) => Math.max(...throttleKeysOf(source, settings).map(local.waitMs)),
    waitRememberedMs(source, settings) {
      const key = pairKeyOf(source, settings);
      return local.waitMs({ ...key, limit: key.limit * WIDE_LIMIT_FACTOR });
    },
    countRefused(source, settings) {
      const entry = 'name' in source && local.entryAt(pairKeyOf(source, settings));
      if (entry) entry.count += 1;
    },
    async count(source, settings) {
      const keys = throttleKeysOf(source, settings);
      const uncountLocally = local.count(keys);
      const sharedResult = await shared?.count(keys, Math.floor(clock.now())).catch(() => 'unknown' as const);
      if (sharedResult === undefined || sharedResult === 'unknown')
        return () => {
          uncountLocally();
          // After a failure, the count is one too high until the window ends, which is the safe side.
          if (sharedResult === undefined) void shared?.takeBack(keys).catch(() => undefined);
        };
      uncountLocally();
      local.lock(sharedResult);
      return undefined;
    },
  };
}

/**
 * Factor of `perUser`: for wrong passwords for one name from all addresses, and for those from the address of a
 * remembered login.
 */
const WIDE_LIMIT_FACTOR = 10;

function throttleKeysOf(
  source: LoginSource | TokenAttemptSource,
  settings: AttemptSettings,
): readonly [ThrottleKey, ...ThrottleKey[]] {
  const windowMs = settings.windowSeconds * 1000;
  const network = { name: networkOf(source.address), limit: settings.perAddress, windowMs };
  if (!('name' in source)) {
    const { caller } = source;
    const counted = caller ? { name: callerKey(caller), limit: settings.perUser, windowMs } : network;
    return [{ kind: 'token', ...counted }];
  }
  const { name, isKnown } = source;
  const limit = settings.perUser * WIDE_LIMIT_FACTOR;
  return [
    pairKeyOf(source, settings),
    { kind: isKnown ? 'account' : 'stranger', name, limit, windowMs },
    { kind: 'network', ...network },
  ];
}

function pairKeyOf({ name, address }: LoginSource, settings: AttemptSettings): ThrottleKey {
  return {
    kind: 'pair',
    name: JSON.stringify([name, networkOf(address)]),
    limit: settings.perUser,
    windowMs: settings.windowSeconds * 1000,
  };
}
