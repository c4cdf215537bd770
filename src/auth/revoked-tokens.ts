import { hash } from 'node:crypto';
import type { Clock } from '../core/lib/clock.js';
import type { RevokedToken } from '../core/session.js';

/** Tokens that somebody has put away: no longer accepted, though they have not expired. */
export interface RevokedTokens {
  /**
   * Ends a token at once on this node, and resolves when all will know. `until` is the first millisecond since 1970 at which
   * nobody accepts it anyway. Throws `store_unavailable` while that cannot be kept; it is tried again then.
   */
  readonly end: (token: string, until: number) => Promise<void>;
  readonly has: (token: string) => boolean;
  /** All of them, oldest first. */
  readonly all: () => readonly RevokedToken[];
  /** Has a listener told of tokens that end; the result calls it off. */
  readonly onEnd: (listener: (tokens: readonly RevokedToken[]) => void) => () => void;
}

/** Those that one process holds in its memory. */
export interface LocalRevokedTokens extends RevokedTokens {
  /** Takes in what was ended elsewhere. */
  readonly add: (tokens: readonly RevokedToken[]) => void;
}

/** Makes a memory of ended tokens; when there are more than `size`, the one that was ended first is forgotten. */
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

/** Digest of header and payload: a token has many valid signatures. */
export function digestOf(token: string): string {
  return hash('sha256', token.slice(0, Math.max(0, token.lastIndexOf('.'))), 'base64url');
}
