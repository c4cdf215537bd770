import { hash } from 'node:crypto';
import { Problem } from '../core/problem.js';
import type { RevokedToken, SessionStore } from '../core/session.js';
import { BoundedMap } from '../lib/bounded-map.js';
import type { Clock, Scheduler } from '../lib/clock.js';
import { createRevokedSessions, type TokenOrigin } from './revoked-sessions.js';
import { createWriteBuffer } from './write-buffer.js';

/** Revoked tokens, which are invalid although they have not expired. */
export interface RevokedTokens {
  /**
   * Revokes a token immediately on this node. Resolves when the revocation is stored for all nodes. `until`
   * is the token's time of expiry, in milliseconds since 1970. Throws `store_unavailable` if the store fails;
   * the write is then retried.
   */
  readonly end: (token: string, until: number) => Promise<void>;
  /**
   * Revokes tokens, sessions or subjects (`src/auth/revoked-sessions.ts`), like `end`. Throws
   * `store_unavailable`.
   */
  readonly endAll: (revoked: readonly RevokedToken[]) => Promise<void>;
  readonly has: (token: string) => boolean;
  /** Returns true if all tokens of the session or the subject of a token were revoked. */
  readonly hasOrigin: (origin: TokenOrigin) => boolean;
  /** Returns all revoked tokens in the order of their revocation. */
  readonly all: () => readonly RevokedToken[];
  /** Calls the listener with newly revoked tokens. Returns the function that removes the listener. */
  readonly onEnd: (listener: (tokens: readonly RevokedToken[]) => void) => () => void;
}

/** Revoked tokens in the memory of one process. */
export interface LocalRevokedTokens extends RevokedTokens {
  /** Adds tokens that another process has revoked. */
  readonly add: (tokens: readonly RevokedToken[]) => void;
}

/**
 * Creates an empty list of revoked tokens. It never drops a token that has not expired, because that token would be
 * valid again. It drops expired tokens when it has `cleanupSize` tokens, and again whenever its size has doubled.
 */
export function createRevokedTokens(clock: Clock, cleanupSize = 10_000): LocalRevokedTokens {
  const revoked = new Map<string, number>();
  const sessions = createRevokedSessions();
  const listeners = new Set<(tokens: readonly RevokedToken[]) => void>();
  let nextCleanup = cleanupSize;

  function dropExpired(): void {
    for (const [digest, until] of revoked) {
      if (clock.now() < until) continue;
      revoked.delete(digest);
      sessions.remove(digest);
    }
    nextCleanup = Math.max(cleanupSize, 2 * revoked.size);
  }

  function insert(digest: string, until: number): void {
    if (revoked.size >= nextCleanup) dropExpired();
    revoked.set(digest, until);
    sessions.add(digest);
  }

  function add(tokens: readonly RevokedToken[]): void {
    const added = tokens.filter(({ digest, until }) => !revoked.has(digest) && clock.now() < until);
    for (const { digest, until } of added) insert(digest, until);
    if (added.length > 0) for (const notify of listeners) notify(added);
  }

  return {
    add,
    end(token, until) {
      add([{ digest: digestOf(token), until }]);
      return Promise.resolve();
    },
    endAll(ended) {
      add(ended);
      return Promise.resolve();
    },
    hasOrigin: sessions.has,
    all: () => [...revoked].map(([digest, until]) => ({ digest, until })),
    has: (token) => revoked.size > 0 && revoked.has(digestOf(token)),
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Returns the digest of a token's header and payload. The digest excludes the signature, because a token can
 * have many valid signatures.
 */
export function digestOf(token: string): string {
  return hash('sha256', token.slice(0, Math.max(0, token.lastIndexOf('.'))), 'base64url');
}

interface SyncOptions {
  readonly held: LocalRevokedTokens;
  readonly store: Pick<SessionStore, 'end' | 'endedBehind'>;
  readonly scheduler: Scheduler;
}

/** Revoked tokens that the store keeps and that all nodes share. */
export interface SyncedRevokedTokens extends RevokedTokens {
  /** Loads the tokens that other nodes revoked. Throws `store_unavailable`. */
  readonly poll: () => Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects the revoked tokens of a process to the store, and loads all stored tokens. Throws
 * `store_unavailable`.
 */
export async function syncRevokedTokens(options: SyncOptions): Promise<SyncedRevokedTokens> {
  const { held, store, scheduler } = options;
  const writeBuffer = createWriteBuffer<RevokedToken>({
    write: (tokens) => store.end(tokens, Math.floor(scheduler.now())),
    scheduler,
    // A revocation that is not stored would be undone by a restart.
    maxSize: Infinity,
  });
  let lastMark = 0;

  async function poll(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const page = await store.endedBehind(lastMark);
      held.add(page.tokens);
      lastMark = page.mark;
      hasMore = page.hasMore;
    }
  }

  async function endAll(revoked: readonly RevokedToken[]): Promise<void> {
    held.add(revoked);
    for (const token of revoked) writeBuffer.add(token);
    await writeBuffer.flush();
  }

  await poll();
  return {
    has: held.has,
    hasOrigin: held.hasOrigin,
    all: held.all,
    onEnd: held.onEnd,
    end: (token, until) => endAll([{ digest: digestOf(token), until }]),
    endAll,
    poll,
    close: () => writeBuffer.close(),
  };
}

/** Maximum number of tokens that one subject may revoke within `REVOCATION_WINDOW_MS`. */
const MAX_REVOCATIONS = 1_000;
const REVOCATION_WINDOW_MS = 3_600_000;

/**
 * Creates a limit of the revocations of each subject, because revoked tokens occupy memory until they expire. The
 * returned function counts a revocation; it throws `too_many_requests` at the limit.
 */
export function createRevocationLimit(clock: Clock): (subject: string) => void {
  const counts = new BoundedMap<string, { count: number; readonly until: number }>({ maxEntries: 10_000 });
  return (subject) => {
    const now = clock.now();
    const current = counts.get(subject);
    const entry = current && now < current.until ? current : { count: 0, until: now + REVOCATION_WINDOW_MS };
    if (entry.count >= MAX_REVOCATIONS) throw tooManyRevocations(Math.ceil((entry.until - now) / 1000));
    entry.count += 1;
    counts.set(subject, entry);
  };
}

function tooManyRevocations(seconds: number): Problem {
  const detail = `The token is still valid: its subject has signed out ${MAX_REVOCATIONS} times within an hour; try again in ${seconds} s.`;
  return new Problem('too_many_requests', detail, { headers: { 'retry-after': String(seconds) } });
}
