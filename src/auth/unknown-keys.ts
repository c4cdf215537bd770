import { type Backoff, createBackoff } from '../lib/backoff.js';
import { BoundedMap } from '../lib/bounded-map.js';
import type { Scheduler } from '../lib/clock.js';
import { createTokenBucket } from '../lib/token-bucket.js';
import { issuerUnavailable } from './issuer-unavailable.js';

const SECOND = 1000;
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
 * there, whoever caused the fetch.
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
