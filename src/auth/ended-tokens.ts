import type { Clock } from '../domain/clock.js';

/** Tokens that somebody has put away: no longer accepted, though they have not expired. In the memory of one process. */
export interface EndedTokens {
  /** `until` is the first millisecond since 1970 at which nobody accepts it anyway. */
  readonly end: (token: string, until: number) => void;
  readonly has: (token: string) => boolean;
  /** Has a listener told that a token was ended; the result calls it off. */
  readonly onEnd: (listener: () => void) => () => void;
}

/** Makes a memory of ended tokens; when there are more than `size`, the one that was ended first is forgotten. */
export function createEndedTokens(clock: Clock, size = 10_000): EndedTokens {
  const ended = new Map<string, number>();
  const listeners = new Set<() => void>();

  function dropExpired(): void {
    for (const [part, until] of ended) if (clock.now() >= until) ended.delete(part);
  }

  return {
    end(token, until) {
      if (ended.size >= size) dropExpired();
      ended.set(signedPart(token), until);
      for (const oldest of ended.keys()) {
        if (ended.size <= size) break;
        ended.delete(oldest);
      }
      for (const tell of listeners) tell();
    },
    has: (token) => ended.size > 0 && ended.has(signedPart(token)),
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Header and payload: a token has many valid signatures, and this part alone shows nobody. */
export function signedPart(token: string): string {
  return token.slice(0, Math.max(0, token.lastIndexOf('.')));
}
