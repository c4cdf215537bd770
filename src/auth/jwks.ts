import type { HttpClient } from '../core/http.js';
import type { Log } from '../core/log.js';
import type { Problem } from '../core/problem.js';
import { type Backoff, createBackoff } from '../lib/backoff.js';
import { BoundedMap } from '../lib/bounded-map.js';
import { elapsedSince, type Scheduler } from '../lib/clock.js';
import { createTokenBucket } from '../lib/token-bucket.js';
import { findKeySetUrl, fetchKeySet, type KeyLocation, parseIssuerJson } from './fetch-keys.js';
import { issuerUnavailable } from './issuer-unavailable.js';
import { type KeySet, type KeySource, pickKey, type TokenHeader } from './issuer.js';
import { readKeySet } from './jwk.js';
import type { Algorithm } from './keys.js';

const SECOND = 1000;
/** Age of keys from which the source refreshes them in the background. */
const REFRESH_MS = 30 * SECOND;
/** Age of keys from which the source refreshes them before their next use: a removed key is accepted no longer. */
const MAX_UNCHECKED_MS = 60 * SECOND;
/** Age of keys from which the source no longer uses them, although every refresh failed. */
const STALE_MS = 86_400 * SECOND;
/** Minimum time between two attempts for tokens that wait, while the issuer does not answer. */
const RETRY_MS = 5 * SECOND;
/** Minimum time between two attempts in the background, while the issuer does not answer. */
const OUTAGE_RETRY_MS = 30 * SECOND;
/** Time for which the source uses the URL of the key set from the issuer's metadata. */
const METADATA_MS = 600 * SECOND;

interface RemoteKeysOptions {
  readonly location: KeyLocation;
  readonly algorithms: readonly Algorithm[];
  /** HTTP client of this key source only; the source closes the client. */
  readonly client: HttpClient;
  readonly clock: Scheduler;
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
  readonly fetch: () => Promise<void>;
}

/**
 * Creates the source of an issuer's published keys (JWK set, RFC 7517). The source fetches the keys on first
 * use, and refreshes them every 30 seconds of use, so that a removed key is out within 60 seconds. It keeps the keys for
 * up to 24 hours of an outage. Only one fetch runs at a time. Unknown key ids cause limited fetches.
 */
export function openRemoteKeys(options: RemoteKeysOptions): KeySource {
  const { client, clock } = options;
  const closing = new AbortController();
  const unknownKeys = createUnknownKeys(clock);
  const fetcher = createFetcher(options, { closing: closing.signal, onChange: unknownKeys.reset });
  let refreshing: Promise<void> | undefined; // Tokens wait for a requested refresh.

  const ageOf = (time: number): number => elapsedSince(clock, time);
  const usable = (): KeySet | undefined => (ageOf(fetcher.fetchedAt) < STALE_MS ? fetcher.set : undefined);

  async function keysFor(token: TokenHeader): Promise<KeySet> {
    await (refreshing ?? (fetcher.isFetching ? fetcher.fetch() : undefined));
    const held = usable();
    if (held && (pickKey(held, token) || unknownKeys.isAbsent(token.kid ?? ''))) return held;
    await fetchFor(held);
    const keys = usable();
    if (keys && pickKey(keys, token)) return keys;
    if (!keys || fetcher.isFailing) throw noKeys(RETRY_MS);
    unknownKeys.noteAbsent(token.kid ?? '');
    return keys;
  }

  /** Fetches keys for a token that fits none of the held keys. Throws `issuer_unavailable` if that must wait. */
  async function fetchFor(held: KeySet | undefined): Promise<void> {
    if (held && !fetcher.isFailing) return unknownKeys.nextFetch(fetcher.fetch);
    const waitMs = fetcher.isFailing ? RETRY_MS - ageOf(fetcher.attemptedAt) : 0;
    if (waitMs > 0) throw noKeys(waitMs);
    return fetcher.fetch();
  }

  return {
    current() {
      const keys = usable();
      const age = ageOf(fetcher.fetchedAt);
      if (!keys || refreshing) return undefined;
      if (age < REFRESH_MS) return keys;
      if (!fetcher.isFailing || ageOf(fetcher.attemptedAt) >= OUTAGE_RETRY_MS) void fetcher.fetch();
      // Requests wait for the refresh of keys that may have been removed. During an outage, requests do not wait.
      return age >= MAX_UNCHECKED_MS && !fetcher.isFailing ? undefined : keys;
    },
    renew(token) {
      const isSettled = usable() && !fetcher.isFetching && !fetcher.isFailing;
      return isSettled && unknownKeys.isAbsent(token.kid ?? '') ? undefined : keysFor(token);
    },
    refresh() {
      if (!fetcher.set || refreshing) return;
      // A running fetch may have begun before the change at the issuer.
      const running = fetcher.isFetching ? fetcher.fetch() : Promise.resolve();
      refreshing = running.then(fetcher.fetch).finally(() => {
        refreshing = undefined;
      });
    },
    prepare: () => fetcher.fetch(),
    async close() {
      closing.abort();
      unknownKeys.close();
      await client.close();
    },
  };
}

function noKeys(retryMs: number): Problem {
  return issuerUnavailable(retryMs, 'the keys of the issuer are not available');
}

interface FetcherHooks {
  readonly closing: AbortSignal;
  /** Called when the issuer has published other keys. */
  readonly onChange: () => void;
}

function createFetcher(options: RemoteKeysOptions, { closing, onChange }: FetcherHooks): Fetcher {
  const { location, client, clock, log } = options;
  let body: Buffer | undefined;
  let pending: Promise<void> | undefined;
  let found: { readonly url: string; readonly at: number } | undefined;
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

  async function keySetUrl(): Promise<string> {
    if (location.jwksUri !== undefined) return location.jwksUri;
    if (!found || elapsedSince(clock, found.at) >= METADATA_MS)
      found = { url: await findKeySetUrl(location.issuer, client, closing), at: clock.now() };
    return found.url;
  }

  async function fetchOnce(): Promise<void> {
    fetcher.attemptedAt = clock.now();
    try {
      const fetched = await fetchKeySet(await keySetUrl(), client, closing);
      // The same bytes keep the same set object, so that the cached tokens stay valid.
      if (!body?.equals(fetched)) {
        fetcher.set = readKeys(fetched, options);
        onChange();
      }
      body = fetched;
      fetcher.fetchedAt = fetcher.attemptedAt;
      fetcher.isFailing = false;
    } catch (error) {
      found = undefined;
      fetcher.isFailing = true;
      if (!closing.aborted)
        log.warn('key fetch failed; keeping the current keys', { reason: reasonOf(error) });
    }
  }

  return fetcher;
}

function readKeys(body: Buffer, { algorithms, log }: RemoteKeysOptions): KeySet {
  const { keys, refused } = readKeySet(parseIssuerJson(body), algorithms);
  if (refused.length > 0) log.warn('key set contains unusable keys; ignoring them', { refused });
  // A set without a usable key is valid, because the issuer may have withdrawn its keys.
  if (keys.length === 0) log.warn('key set contains no usable key; refusing all tokens of the issuer');
  return { keys };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}

/** Fetches of one issuer for unknown key ids: five at once, and one every 2 seconds afterwards. */
const FETCH_LIMITS = { capacity: 5, refillMs: 2 * SECOND };
/** Times in which a key id that a fetch did not find causes no further fetch. */
const ABSENT_KEY_BACKOFF = { firstMs: SECOND, maxMs: 60 * SECOND };
/** Maximum number of key ids that were not found. */
const MAX_ABSENT_KEYS = 1_000;
/** Maximum number of tokens that wait for the next fetch. */
const MAX_WAITING = 500;

/**
 * Limit of the fetches for key ids that the key set does not contain. Anybody can name any key id, so the fetches of
 * an issuer are limited. A fetch returns the whole set, so a token that waits for the next fetch finds its key
 * there, regardless of the caller that caused the fetch.
 */
interface UnknownKeys {
  /** Returns true if a fetch did not find the key id shortly before. */
  isAbsent(kid: string): boolean;
  /**
   * Runs `fetch` as soon as the limit permits, once for all tokens that wait. Throws `issuer_unavailable` if too many
   * tokens wait.
   */
  nextFetch(fetch: () => Promise<void>): Promise<void>;
  /** Records that a fetch did not find the key id. Each further fetch without it doubles the time. */
  noteAbsent(kid: string): void;
  /** Forgets all key ids and permits fetches again, because the key set has changed. */
  readonly reset: () => void;
  /** Ends the waits. */
  close(): void;
}

/** Creates the limit for one issuer. */
export function createUnknownKeys(scheduler: Scheduler): UnknownKeys {
  const bucket = createTokenBucket(scheduler, FETCH_LIMITS);
  const absent = new BoundedMap<string, { readonly backoff: Backoff; readonly until: number }>({
    maxEntries: MAX_ABSENT_KEYS,
  });
  let next: Promise<void> | undefined;
  let waiting = 0;
  let endWait = (): void => undefined;

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      endWait = resolve;
      scheduler.after(ms, resolve);
    });
  }

  async function runNext(fetch: () => Promise<void>): Promise<void> {
    const waitMs = bucket.take();
    await (waitMs > 0 ? pause(waitMs) : undefined);
    if (waitMs > 0) bucket.take();
    // Tokens that arrive from now on need a later fetch.
    next = undefined;
    await fetch();
  }

  function isAbsent(kid: string): boolean {
    const remainingMs = (absent.get(kid)?.until ?? 0) - scheduler.now();
    // A longer time means that the clock was set back.
    return remainingMs > 0 && remainingMs <= ABSENT_KEY_BACKOFF.maxMs;
  }

  return {
    isAbsent,
    async nextFetch(fetch) {
      if (waiting >= MAX_WAITING)
        throw issuerUnavailable(FETCH_LIMITS.refillMs, 'too many tokens wait for a key');
      waiting += 1;
      try {
        next ??= runNext(fetch);
        await next;
      } finally {
        waiting -= 1;
      }
    },
    noteAbsent(kid) {
      // Tokens that waited together count once.
      if (isAbsent(kid)) return;
      const backoff = absent.get(kid)?.backoff ?? createBackoff(ABSENT_KEY_BACKOFF);
      absent.set(kid, { backoff, until: scheduler.now() + backoff.next() });
    },
    reset() {
      absent.clear();
      bucket.fill();
    },
    close() {
      endWait();
    },
  };
}
