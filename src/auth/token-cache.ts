import type { Principal } from '../core/principal.js';
import type { Issuer, KeySet } from './issuer.js';

/** What is known of a token that has been accepted, and how long that holds. */
export interface AcceptedToken {
  readonly principal: Principal;
  readonly issuer: Issuer;
  /** The keys that it was accepted under: when the issuer holds others, it is checked anew. */
  readonly keys: KeySet;
  /** First millisecond since 1970 at which it is not valid any more. */
  readonly until: number;
}

/** Remembers accepted tokens by their whole text; the one that has not been used for longest goes first. */
export interface TokenCache {
  /** The token, if it is still accepted at the time given, in milliseconds since 1970. */
  find(text: string, now: number): AcceptedToken | undefined;
  keep(text: string, token: AcceptedToken): void;
}

/** Makes a cache of at most `size` tokens; 0 keeps none. */
export function createTokenCache(size: number): TokenCache {
  // A Map lists its keys in the order of insertion: the first is the one used longest ago.
  const tokens = new Map<string, AcceptedToken>();
  // Its token is the last one already.
  let latest: AcceptedToken | undefined;
  return {
    find(text, now) {
      const token = tokens.get(text);
      if (!token) return undefined;
      const isOver = now >= token.until || token.issuer.keys.held() !== token.keys;
      if (isOver || token !== latest) tokens.delete(text);
      if (isOver) return undefined;
      if (token !== latest) tokens.set(text, token);
      latest = token;
      return token;
    },
    keep(text, token) {
      tokens.set(text, token);
      latest = undefined;
      if (tokens.size <= size) return;
      for (const oldest of tokens.keys()) {
        tokens.delete(oldest);
        return;
      }
    },
  };
}
