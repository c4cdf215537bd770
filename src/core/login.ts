import type { Secret } from './secret.js';

/** Ways to show with a request who sends it (wire section 1.2). */
export const STYLES = ['bearer', 'cookie', 'query', 'basic'] as const;
export type CredentialScheme = (typeof STYLES)[number];

/** Longest name of a user or client, and longest password, in characters. */
export const NAME_LENGTH = 256;
export const PASSWORD_LENGTH = 1024;

/** What of a request may show who sends it. */
export interface RequestHead {
  /** One value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Of HTTP, in upper case. */
  readonly method: string;
  /** True where the operation changes something whatever the method says. */
  readonly changes?: boolean;
  /** Path and query. */
  readonly target: string;
  /** The peer's IP address. */
  readonly address: string;
}

/** A user or a client of the configuration. */
export interface Account {
  readonly kind: 'user' | 'client';
  readonly name: string;
  readonly roles: readonly string[];
  /** Stands in the tokens that it is given, and changes with its password: nobody makes a password of it. */
  readonly mark: string;
}

/** A name and a password that somebody gives, at most {@link NAME_LENGTH} and {@link PASSWORD_LENGTH} long. */
export interface LoginAttempt {
  readonly name: string;
  readonly password: Secret;
  /** The peer's IP address. */
  readonly address: string;
  /** Kinds of account that may be meant. */
  readonly kinds: readonly Account['kind'][];
}

/** The accounts of one load of the configuration. */
export interface Logins {
  /** The styles that are taken. */
  readonly accept: ReadonlySet<CredentialScheme>;
  /** Life of a token that is given for a login, in seconds. */
  readonly tokenTtlSeconds: number;
  /**
   * Whose name and password these are. Throws `invalid_credentials` with the same words, after the same time, for an unknown
   * name and a wrong password; `too_many_requests` after too many of them; `login_busy`.
   */
  readonly logIn: (attempt: LoginAttempt) => Promise<Account>;
  /** True where there are people with a name and a password. */
  readonly hasUsers: boolean;
  /**
   * Has something looked at that somebody at an address may have guessed, and counts it as a wrong password when that throws
   * `unauthorized` or a SignInFailure `not_accepted`. Throws `too_many_requests` after too many of them.
   */
  readonly guess: <T>(address: string, look: () => Promise<T>) => Promise<T>;
}
