import { hash } from 'node:crypto';
import type { Clock, Scheduler } from '../core/lib/clock.js';
import type { RevokedToken, SessionStore } from '../core/session.js';
import { createRevocationPublisher } from './write-buffer.js';

/** Revoked tokens: no longer accepted, although they have not expired. */
export interface RevokedTokens {
  /**
   * Revokes a token at once on this node, and resolves when all nodes will learn of it. `until` is the time
   * of the token's expiry, in milliseconds since 1970. Throws `store_unavailable` if the revocation cannot be
   * stored; storing is then retried.
   */
  readonly end: (token: string, until: number) => Promise<void>;
  readonly has: (token: string) => boolean;
  /** Returns all revoked tokens, oldest first. */
  readonly all: () => readonly RevokedToken[];
  /** Notifies a listener of tokens that are revoked; returns the unsubscribe function. */
  readonly onEnd: (listener: (tokens: readonly RevokedToken[]) => void) => () => void;
}

/** Revoked tokens in the memory of one process. */
export interface LocalRevokedTokens extends RevokedTokens {
  /** Adds tokens that were revoked elsewhere. */
  readonly add: (tokens: readonly RevokedToken[]) => void;
}

/**
 * Creates an empty list of revoked tokens. If there are more than `size`, the token that was revoked first is
 * forgotten.
 */
export function createRevokedTokens(clock: Clock, size = 100_000): LocalRevokedTokens {
  const ended = new Map<string, number>();
  const listeners = new Set<(tokens: readonly RevokedToken[]) => void>();

  function dropExpired(): void {
    for (const [digest, until] of ended) if (clock.now() >= until) ended.delete(digest);
  }

  function hold(digest: string, until: number): void {
    if (ended.size >= size) dropExpired();
    ended.set(digest, until);
    for (const oldest of ended.keys()) {
      if (ended.size <= size) break;
      ended.delete(oldest);
    }
  }

  function add(tokens: readonly RevokedToken[]): void {
    const news = tokens.filter(({ digest, until }) => !ended.has(digest) && clock.now() < until);
    for (const { digest, until } of news) hold(digest, until);
    if (news.length > 0) for (const tell of listeners) tell(news);
  }

  return {
    add,
    end(token, until) {
      add([{ digest: digestOf(token), until }]);
      return Promise.resolve();
    },
    all: () => [...ended].map(([digest, until]) => ({ digest, until })),
    has: (token) => ended.size > 0 && ended.has(digestOf(token)),
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Returns the digest of header and payload. The signature is left out, because a token has many valid
 * signatures.
 */
export function digestOf(token: string): string {
  return hash('sha256', token.slice(0, Math.max(0, token.lastIndexOf('.'))), 'base64url');
}

export interface SharedEndedTokensOptions {
  readonly held: LocalRevokedTokens;
  readonly store: Pick<SessionStore, 'end' | 'endedBehind'>;
  readonly scheduler: Scheduler;
}

/** Revoked tokens that outlive the process and that other nodes share. */
export interface SyncedRevokedTokens extends RevokedTokens {
  /** Loads the tokens that other nodes revoked. Throws `store_unavailable`. */
  readonly poll: () => Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects the revoked tokens of a process to the store, and loads all stored tokens first. Throws
 * `store_unavailable`.
 */
export async function syncRevokedTokens(options: SharedEndedTokensOptions): Promise<SyncedRevokedTokens> {
  const { held, store, scheduler } = options;
  const outbox = createRevocationPublisher<RevokedToken>({
    send: (tokens) => store.end(tokens, Math.floor(scheduler.now())),
    scheduler,
  });
  let seen = 0;

  async function look(): Promise<void> {
    const { tokens, mark } = await store.endedBehind(seen);
    held.add(tokens);
    seen = mark;
  }

  await look();
  return {
    has: held.has,
    all: held.all,
    onEnd: held.onEnd,
    async end(token, until) {
      const ended = { digest: digestOf(token), until };
      held.add([ended]);
      outbox.add(ended);
      await outbox.flush();
    },
    poll: look,
    close: () => outbox.close(),
  };
}
