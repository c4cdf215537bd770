import { hash } from 'node:crypto';
import type { Principal } from '../core/principal.js';
import { BoundedMap } from '../lib/bounded-map.js';
import type { Issuer, KeySet } from './issuer.js';
import type { TokenOrigin } from './revoked-sessions.js';

/** Principal of an accepted token, and the conditions under which it stays accepted. */
interface AcceptedToken {
  readonly principal: Principal;
  readonly issuer: Issuer;
  /**
   * The keys of the issuer at the time of the check. If the issuer has other keys, the verifier checks the
   * token again.
   */
  readonly keys: KeySet;
  /** Time of expiry, in milliseconds since 1970; the token is invalid from this time. */
  readonly expiresAt: number;
  readonly origin: TokenOrigin;
}

/** Cache of accepted tokens by their whole text. A full cache removes the least recently used token. */
interface TokenCache {
  /** Returns the token if it is still valid at the time `now`, in milliseconds since 1970. */
  find(text: string, now: number): AcceptedToken | undefined;
  add(text: string, token: AcceptedToken): void;
}

/** Maximum memory of the accepted tokens, in bytes: about 120,000 ordinary tokens. */
const MAX_BYTES = 96 * 1024 * 1024;
/** Memory of a token in the cache without the texts of its principal, in bytes. */
const TOKEN_BYTES = 512;
/** Number of recent tokens whose digest is kept, so that it need not be calculated again. */
const MAX_RECENT = 1_000;

/**
 * Creates a cache of at most 96 MiB, and of at most `maxSize` tokens if this is given; 0 disables the cache. It keeps the
 * SHA-256 digest of a token in place of its text, which is several times as large as all else.
 */
export function createTokenCache(maxSize = Infinity): TokenCache {
  const tokens = new BoundedMap<string, AcceptedToken>({ maxEntries: maxSize, maxWeight: MAX_BYTES });
  const digests = new BoundedMap<string, string>({ maxEntries: Math.min(maxSize, MAX_RECENT) });
  return {
    find(text, now) {
      const recent = digests.get(text);
      const digest = recent ?? digestOf(text);
      const token = tokens.get(digest);
      if (!token) return undefined;
      if (now < token.expiresAt && token.issuer.keys.current() === token.keys) {
        if (recent === undefined) digests.set(text, digest);
        return token;
      }
      tokens.delete(digest);
      digests.delete(text);
      return undefined;
    },
    add(text, token) {
      tokens.set(digestOf(text), token, TOKEN_BYTES + 2 * JSON.stringify(token.principal).length);
    },
  };
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
