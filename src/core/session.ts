import type { Account } from './login.js';

/** A valid token that was issued for a login. */
export interface Session {
  /** `jti` of the token. */
  readonly id: string;
  /** Name of the user or client. */
  readonly user: string;
  readonly kind: Account['kind'];
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Label of the token: the first characters of its id. */
  readonly token: string;
}

export interface IssuedToken {
  readonly token: string;
  /** Lifetime of the token, in seconds. */
  readonly expiresIn: number;
  readonly session: Session;
}

/** Issues tokens for logins, and lists the sessions of valid tokens. */
export interface TokenIssuer {
  readonly give: (account: Account, ttlSeconds: number) => IssuedToken;
  /** Returns the sessions of all nodes, oldest first. Throws `store_unavailable`. */
  readonly sessions: () => Promise<readonly Session[]>;
}

export interface StoredSession extends Session {
  /** Digest of the token; the token cannot be derived from it. */
  readonly digest: string;
}

/** A revoked token, or all tokens of a session or a subject at an identity provider. */
export interface RevokedToken {
  /** Digest of the token, or a key that `src/auth/revoked-sessions.ts` creates. */
  readonly digest: string;
  /** Time when the last of these tokens expires, in milliseconds since 1970. */
  readonly until: number;
}

/** Sessions and revoked tokens, which all nodes share. Every method throws `store_unavailable`. */
export interface SessionStore {
  /** Stores sessions without changing existing sessions. Keeps at most the newest 10,000. */
  readonly keep: (sessions: readonly StoredSession[], now: number) => Promise<void>;
  /** Returns the sessions that have neither expired nor been revoked, oldest first. */
  readonly list: (now: number) => Promise<readonly Session[]>;
  /** Stores revoked tokens until they expire, and notifies the other nodes. */
  readonly end: (tokens: readonly RevokedToken[], now: number) => Promise<void>;
  /** Returns the first tokens that were revoked after a cursor, and the next cursor; 0 is the first cursor. */
  readonly endedBehind: (mark: number) => Promise<RevokedTokens>;
}

/** A page of revoked tokens, in the order of their revocation. */
interface RevokedTokens {
  readonly tokens: readonly RevokedToken[];
  /** Cursor after these tokens. */
  readonly mark: number;
  /** True if there are further tokens after the cursor. */
  readonly hasMore: boolean;
}
