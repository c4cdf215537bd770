import { type Clock, elapsedSince } from '../core/lib/clock.js';
import type { HttpClient } from '../core/http.js';
import type { Log } from '../core/log.js';
import type { Algorithm } from './keys.js';
import { fetchKeys, type KeyLocation } from './fetch-keys.js';
import type { KeySet, KeySource } from './issuer.js';
import { readKeySet } from './jwk.js';
import { parseJsonObject } from './token.js';

const SECOND = 1000;
/** Age of keys from which the source refreshes them in the background. */
const REFRESH_MS = 600 * SECOND;
/** Age of keys from which the source refreshes them before their next use. */
const IDLE_MS = 2 * REFRESH_MS;
/** Age of keys from which the source no longer uses them, although every refresh failed. */
const STALE_MS = 86_400 * SECOND;
/** Minimum time between two fetches for unknown kids, and between two attempts to refresh. */
const COOL_DOWN_MS = 30 * SECOND;
/** Minimum time between two attempts while the source has no keys. */
const FIRST_RETRY_MS = 5 * SECOND;

export interface RemoteKeysOptions {
  readonly location: KeyLocation;
  readonly algorithms: readonly Algorithm[];
  /** HTTP client of this key source only; the source closes the client. */
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** The last fetched keys, and the function that fetches newer keys. */
interface Fetcher {
  readonly set: KeySet | undefined;
  /** Times of the fetch that returned the keys, and of the latest attempt, in milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly attemptedAt: number;
  readonly isFailing: boolean;
  readonly isFetching: boolean;
  /**
   * Fetches the keys, or waits for the running fetch. Never rejects: logs a failure and keeps the old keys.
   */
  fetch(): Promise<void>;
}

/**
 * Creates the source of an issuer's published keys (JWK set, RFC 7517). The source fetches the keys on first
 * use, refreshes them every 10 minutes of use, and keeps them for up to 24 hours of an outage. Only one fetch
 * runs at a time. Unknown kids cause at most one fetch in 30 seconds.
 */
export function openRemoteKeys(options: RemoteKeysOptions): KeySource {
  const { client, clock } = options;
  const closing = new AbortController();
  const fetcher = createFetcher(options, closing.signal);
  let unknownKidAt = -Infinity;

  const ageOf = (time: number): number => elapsedSince(clock, time);
  const usable = (): KeySet | undefined => (ageOf(fetcher.fetchedAt) < STALE_MS ? fetcher.set : undefined);

  return {
    current() {
      const keys = usable();
      const age = ageOf(fetcher.fetchedAt);
      if (!keys || age < REFRESH_MS) return keys;
      if (ageOf(fetcher.attemptedAt) >= COOL_DOWN_MS) void fetcher.fetch();
      // After an idle time, the issuer may have withdrawn the keys, so requests wait for the refresh. During
      // an outage, requests do not wait.
      return age >= IDLE_MS && fetcher.isFetching && !fetcher.isFailing ? undefined : keys;
    },
    renew() {
      const { set, attemptedAt, isFetching } = fetcher;
      const isDue = set ? ageOf(unknownKidAt) >= COOL_DOWN_MS : ageOf(attemptedAt) >= FIRST_RETRY_MS;
      if (!isFetching && !isDue) return undefined;
      if (!isFetching && set) unknownKidAt = clock.now();
      return fetcher.fetch().then(() => {
        const keys = usable();
        if (!keys) throw new Error('the keys of the issuer are not available');
        return keys;
      });
    },
    prepare: () => fetcher.fetch(),
    async close() {
      closing.abort();
      await client.close();
    },
  };
}

function createFetcher(options: RemoteKeysOptions, closing: AbortSignal): Fetcher {
  const { location, client, clock, log } = options;
  let body: Buffer | undefined;
  let pending: Promise<void> | undefined;
  const fetcher = {
    set: undefined as KeySet | undefined,
    fetchedAt: -Infinity,
    attemptedAt: -Infinity,
    isFailing: false,
    get isFetching(): boolean {
      return pending !== undefined;
    },
    fetch(): Promise<void> {
      pending ??= fetchOnce().finally(() => {
        pending = undefined;
      });
      return pending;
    },
  };

  async function fetchOnce(): Promise<void> {
    fetcher.attemptedAt = clock.now();
    try {
      const fetched = await fetchKeys(location, client, closing);
      // The same bytes keep the same set object, so that the cached tokens stay valid.
      if (!body?.equals(fetched)) fetcher.set = readKeys(fetched, options);
      body = fetched;
      fetcher.fetchedAt = fetcher.attemptedAt;
      fetcher.isFailing = false;
    } catch (error) {
      fetcher.isFailing = true;
      if (!closing.aborted)
        log.warn('key fetch failed; keeping the current keys', { reason: reasonOf(error) });
    }
  }

  return fetcher;
}

function readKeys(body: Buffer, { algorithms, log }: RemoteKeysOptions): KeySet {
  const { keys, refused } = readKeySet(parseJsonObject(body), algorithms);
  if (refused.length > 0) log.warn('key set contains unusable keys; ignoring them', { refused });
  // A set without a usable key is valid, because the issuer may have withdrawn its keys.
  if (keys.length === 0) log.warn('key set contains no usable key; refusing all tokens of the issuer');
  return { keys };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
