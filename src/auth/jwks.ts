import { type Clock, elapsedSince } from '../core/lib/clock.js';
import type { HttpClient } from '../core/http.js';
import type { Log } from '../core/log.js';
import type { Algorithm } from './algorithms.js';
import { fetchKeys, type KeyLocation } from './fetch-keys.js';
import type { KeySet, KeySource } from './issuer.js';
import { readKeySet } from './jwk.js';
import { parseJsonObject } from './json-object.js';

const SECOND = 1000;
/** Age at which keys are fetched again, in the background. */
const REFRESH_MS = 600 * SECOND;
/** Age at which keys nobody has asked for in the meantime are fetched before they are used. */
const IDLE_MS = 2 * REFRESH_MS;
/** Age at which keys that could not be fetched again are not used any more. */
const STALE_MS = 86_400 * SECOND;
/** Shortest time between two fetches for unknown kids, and between two attempts to refresh. */
const COOL_DOWN_MS = 30 * SECOND;
/** Shortest time between two attempts while there are no keys at all. */
const FIRST_RETRY_MS = 5 * SECOND;

export interface RemoteKeysOptions {
  readonly location: KeyLocation;
  readonly algorithms: readonly Algorithm[];
  /** Owned from here on: closed with the source. */
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** The last keys that were fetched, and the one way to newer ones. */
interface Fetcher {
  readonly set: KeySet | undefined;
  /** Milliseconds since 1970 of the fetch that gave the keys, and of the latest attempt. */
  readonly fetchedAt: number;
  readonly attemptedAt: number;
  readonly isFailing: boolean;
  readonly isFetching: boolean;
  /** Fetches, or joins the fetch that runs. Never rejects: a failure is logged and keeps the old keys. */
  fetch(): Promise<void>;
}

/**
 * Keys that an issuer publishes (JWK set, RFC 7517): fetched on first need, refreshed every 10 minutes of use, kept through
 * an outage for up to 24 hours. One fetch runs at a time, and a flood of unknown kids causes at most one in 30 seconds.
 */
export function openRemoteKeys(options: RemoteKeysOptions): KeySource {
  const { client, clock } = options;
  const closing = new AbortController();
  const fetcher = createFetcher(options, closing.signal);
  let missedAt = -Infinity;

  const ageOf = (time: number): number => elapsedSince(clock, time);
  const usable = (): KeySet | undefined => (ageOf(fetcher.fetchedAt) < STALE_MS ? fetcher.set : undefined);

  return {
    held() {
      const keys = usable();
      const age = ageOf(fetcher.fetchedAt);
      if (!keys || age < REFRESH_MS) return keys;
      if (ageOf(fetcher.attemptedAt) >= COOL_DOWN_MS) void fetcher.fetch();
      // After a quiet time the keys may have been withdrawn long ago; an outage is not waited for again and again.
      return age >= IDLE_MS && fetcher.isFetching && !fetcher.isFailing ? undefined : keys;
    },
    renew() {
      const { set, attemptedAt, isFetching } = fetcher;
      const isDue = set ? ageOf(missedAt) >= COOL_DOWN_MS : ageOf(attemptedAt) >= FIRST_RETRY_MS;
      if (!isFetching && !isDue) return undefined;
      if (!isFetching && set) missedAt = clock.now();
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
      // The same bytes stay the same set, so that remembered tokens stay remembered.
      if (!body?.equals(fetched)) fetcher.set = readKeys(fetched, options);
      body = fetched;
      fetcher.fetchedAt = fetcher.attemptedAt;
      fetcher.isFailing = false;
    } catch (error) {
      fetcher.isFailing = true;
      if (!closing.aborted) log.warn('cannot fetch the keys of the issuer', { reason: reasonOf(error) });
    }
  }

  return fetcher;
}

function readKeys(body: Buffer, { algorithms, log }: RemoteKeysOptions): KeySet {
  const { keys, refused } = readKeySet(parseJsonObject(body), algorithms);
  if (refused.length > 0) log.warn('some keys of the issuer are not used', { refused });
  // A set without a usable key is an answer as well: the issuer has withdrawn what it published.
  if (keys.length === 0) log.warn('the issuer has no usable key');
  return { keys };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
