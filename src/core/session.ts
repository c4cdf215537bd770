import type { Account } from './login.js';

/** A token that was given for a login and is still valid. */
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
  /** Stands for the token: the first characters of its id. */
  readonly token: string;
}

/** A token that was given just now. */
export interface IssuedToken {
  readonly token: string;
  /** Its life, in seconds. */
  readonly expiresIn: number;
  readonly session: Session;
}

/** Gives tokens for logins, and knows which of them are valid. */
export interface TokenIssuer {
  readonly give: (account: Account, ttlSeconds: number) => IssuedToken;
  /** Those of every node, oldest first. Throws `store_unavailable`. */
  readonly sessions: () => Promise<readonly Session[]>;
}

/** A session as it is kept. */
export interface StoredSession extends Session {
  /** Digest of the token, from which nobody makes a token. */
  readonly digest: string;
}

/** A token that somebody has put away. */
export interface RevokedToken {
  readonly digest: string;
  /** First millisecond since 1970 at which nobody accepts it anyway. */
  readonly until: number;
}

/** What the nodes know together of the tokens of their callers. Every member throws `store_unavailable`. */
export interface SessionStore {
  /** Keeps sessions, the newest 10,000 of them; one that is there stays as it is. */
  readonly keep: (sessions: readonly StoredSession[], now: number) => Promise<void>;
  /** Those that have neither expired nor been ended, oldest first. */
  readonly list: (now: number) => Promise<readonly Session[]>;
  /** Keeps that tokens were ended, until nobody accepts them anyway, and tells the other nodes. */
  readonly end: (tokens: readonly RevokedToken[], now: number) => Promise<void>;
  /** What was ended behind a mark, and the mark behind that; 0 is before everything. */
  readonly endedBehind: (mark: number) => Promise<RevokedTokens>;
}

/** Tokens in the order in which they were ended, the newest 100,000 at most. */
export interface RevokedTokens {
  readonly tokens: readonly RevokedToken[];
  readonly mark: number;
}
