import type { Principal } from './principal.js';
import type { LogoutNotice, SignIns, SignInTokens } from './sign-in.js';

/**
 * A stored session of a browser that signed in at an identity provider. The tokens are sealed with a key that
 * only the cookie of the browser completes.
 */
export interface StoredBrowserSession {
  /** Digest of the cookie. */
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  /** Session id of the identity provider (claim `sid`); null if the provider sends none. */
  readonly sid: string | null;
  /** The tokens of the session, encrypted. */
  readonly sealed: string;
  /** Digest of the current token of the session, and its time of expiry, in milliseconds since 1970. */
  readonly tokenDigest: string;
  readonly tokenUntil: number;
  /** Start, last input of the person, and latest end of the session, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly activeAt: number;
  readonly endsAt: number;
  readonly revision: number;
}

/** Selects sessions by the session id or the subject of an identity provider. */
export type BrowserSessionFilter = { readonly issuer: string } & (
  | { readonly sid: string }
  | { readonly subject: string }
);

/** Sessions of browsers, which all nodes share. Every method throws `store_unavailable`. */
export interface BrowserSessionStore {
  /** Stores a session, and removes sessions that have ended. */
  readonly create: (session: StoredBrowserSession, now: number) => Promise<void>;
  readonly find: (id: string) => Promise<StoredBrowserSession | undefined>;
  /**
   * Reserves the renewal of a session until the time `until`, so that one node uses the refresh token once.
   * Returns false if another node has renewed the session or is renewing it.
   */
  readonly reserve: (session: StoredBrowserSession, now: number, until: number) => Promise<boolean>;
  /** Releases a reservation after a failed renewal. */
  readonly release: (session: StoredBrowserSession) => Promise<void>;
  /** Replaces a reserved session by its next revision. Returns false if the session has ended. */
  readonly replace: (session: StoredBrowserSession) => Promise<boolean>;
  /** Removes a session. Returns false if there was none. */
  readonly remove: (id: string) => Promise<boolean>;
  /** Removes and returns all sessions that a filter selects. */
  readonly removeAll: (filter: BrowserSessionFilter) => Promise<readonly StoredBrowserSession[]>;
}

export interface SessionRenewal {
  readonly cookie: string;
  /** The token that the browser has; absent if its cookie has expired. */
  readonly sentToken: string | undefined;
  /** Time since the last input of the person in a page, in seconds. */
  readonly idleSeconds: number;
  readonly signIns: SignIns;
}

/**
 * Result of a renewal: a valid token, the end of the session, or `unavailable` if the provider does not answer and
 * a later attempt may succeed.
 */
export type RenewedSession =
  | {
      readonly state: 'renewed';
      readonly token: string;
      readonly principal: Principal;
      /** Time when the session ends without further input, in milliseconds since 1970. */
      readonly endsAt: number;
    }
  | {
      readonly state: 'ended';
      readonly reason: string;
      /** The session that this renewal ended; absent if the browser had none. */
      readonly session?: Pick<StoredBrowserSession, 'issuer' | 'subject'>;
    }
  | { readonly state: 'unavailable' };

export interface EndedSession {
  readonly issuer: string;
  readonly subject: string;
  /** Names the person to sign out to the provider. */
  readonly idToken?: string;
}

/** Sessions of browsers that signed in at an identity provider. Every method throws `store_unavailable`. */
export interface BrowserSessions {
  /** Starts a session. Returns its cookie, and the lifetime of the cookie in seconds. */
  readonly start: (
    tokens: SignInTokens,
    signIns: SignIns,
  ) => Promise<{ readonly cookie: string; readonly maxAge: number }>;
  /**
   * Renews the token of a session, once for all tabs and nodes. Ends a session that was idle for too long, that
   * has reached its maximum time, or that the provider does not renew.
   */
  readonly renew: (renewal: SessionRenewal) => Promise<RenewedSession>;
  /** Ends a session and revokes its token. Returns `undefined` if there is no such session. */
  readonly end: (cookie: string, signIns: SignIns) => Promise<EndedSession | undefined>;
  /**
   * Ends the sessions that a provider has ended, and revokes all their tokens on every node. Returns the number of
   * sessions of browsers.
   */
  readonly endAtProvider: (notice: LogoutNotice) => Promise<number>;
}
