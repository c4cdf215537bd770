import type { Secret } from './secret.js';

/** Authentication schemes of requests (wire section 1.2). */
export const STYLES = ['bearer', 'cookie', 'query', 'basic'] as const;
export type CredentialScheme = (typeof STYLES)[number];

/** Maximum length of the name of a user or client, and of a password, in characters. */
export const NAME_LENGTH = 256;
export const PASSWORD_LENGTH = 1024;

/** Parts of a request that can authenticate its sender. */
export interface RequestHead {
  /** Returns one value of a header, by lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** HTTP method in upper case. */
  readonly method: string;
  /** True if the operation changes state with any method. */
  readonly changes?: boolean;
  /** Path and query of the request. */
  readonly target: string;
  /** The peer's IP address. */
  readonly address: string;
}

/** A user or a client from the configuration. */
export interface Account {
  readonly kind: 'user' | 'client';
  readonly name: string;
  readonly roles: readonly string[];
  /**
   * Fingerprint in the account's tokens. It changes with the password, and the password cannot be derived
   * from it.
   */
  readonly mark: string;
}

/** A submitted name and password, at most {@link NAME_LENGTH} and {@link PASSWORD_LENGTH} long. */
export interface LoginAttempt {
  readonly name: string;
  readonly password: Secret;
  /** The peer's IP address. */
  readonly address: string;
  /** Kinds of account to try. */
  readonly kinds: readonly Account['kind'][];
}

/** Accounts from one load of the configuration. */
export interface Logins {
  /** Accepted authentication schemes. */
  readonly accept: ReadonlySet<CredentialScheme>;
  /** Lifetime of a token that is issued for a login, in seconds. */
  readonly tokenTtlSeconds: number;
  /**
   * Returns the account with this name and password. Throws `invalid_credentials` with the same text, after
   * the same time, for an unknown name and a wrong password. Throws `too_many_requests` after too many of
   * them, or `login_busy`.
   */
  readonly logIn: (attempt: LoginAttempt) => Promise<Account>;
  /** True if there are users with a name and a password. */
  readonly hasUsers: boolean;
  /**
   * Runs a check of a value that a caller at this address may have guessed. Counts a wrong password if the
   * check throws `unauthorized` or a SignInFailure `not_accepted`. Throws `too_many_requests` after too many
   * of them.
   */
  readonly guess: <T>(address: string, look: () => Promise<T>) => Promise<T>;
}
