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
export interface GivenToken {
  readonly token: string;
  /** Its life, in seconds. */
  readonly expiresIn: number;
  readonly session: Session;
}

/** Gives tokens for logins, and knows which of them are valid. */
export interface TokenDesk {
  readonly give: (account: Account, ttlSeconds: number) => GivenToken;
  /** Oldest first. */
  readonly sessions: () => readonly Session[];
}
