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

/** A newly issued token. */
export interface IssuedToken {
  readonly token: string;
  /** Lifetime of the token, in seconds. */
  readonly expiresIn: number;
  readonly session: Session;
}

/** Issues tokens for logins, and lists the valid ones. */
export interface TokenIssuer {
  readonly give: (account: Account, ttlSeconds: number) => IssuedToken;
  /** Returns the sessions of all nodes, oldest first. Throws `store_unavailable`. */
  readonly sessions: () => Promise<readonly Session[]>;
}

/** A stored session. */
export interface StoredSession extends Session {
  /** Digest of the token; the token cannot be derived from it. */
  readonly digest: string;
}

/** A revoked token. */
export interface RevokedToken {
  readonly digest: string;
  /** First moment when the token is invalid anyway, in milliseconds since 1970. */
  readonly until: number;
}

/** Sessions and revoked tokens that all nodes share. Every member throws `store_unavailable`. */
export interface SessionStore {
  /** Stores sessions, the newest 10,000 of them; existing sessions are not changed. */
  readonly keep: (sessions: readonly StoredSession[], now: number) => Promise<void>;
  /** Returns the sessions that have neither expired nor been ended, oldest first. */
  readonly list: (now: number) => Promise<readonly Session[]>;
  /** Stores revoked tokens until they expire, and notifies the other nodes. */
  readonly end: (tokens: readonly RevokedToken[], now: number) => Promise<void>;
  /** Returns the tokens revoked after a mark, and the next mark; 0 is before everything. */
  readonly endedBehind: (mark: number) => Promise<RevokedTokens>;
}

/** Revoked tokens in the order of their revocation, the newest 100,000 at most. */
export interface RevokedTokens {
  readonly tokens: readonly RevokedToken[];
  readonly mark: number;
}
