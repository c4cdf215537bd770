import type { ClientCertificate } from './certificate.js';
import type { LocatedFault } from './fault.js';
import type { Secret } from './secret.js';

/** Authentication schemes of requests (wire section 1.2). */
export const STYLES = ['bearer', 'cookie', 'query', 'basic'] as const;
export type CredentialScheme = (typeof STYLES)[number];

/** Maximum length of the name of a user or client, and of a password, in characters. */
export const NAME_LENGTH = 256;
export const PASSWORD_LENGTH = 1024;

/** The headers of a request. */
export interface RequestHeaders {
  /** Returns one value of a header, by lower-case name. */
  readonly header: (name: string) => string | undefined;
}

/** Parts of a request that authentication uses. */
export interface RequestHead extends RequestHeaders {
  /** HTTP method in upper case. */
  readonly method: string;
  /** True if the operation changes state even with a safe method. */
  readonly changes?: boolean;
  /** Path and query of the request. */
  readonly target: string;
  /** The peer's IP address. */
  readonly address: string;
  /** True if browsers reach this server over TLS; absent: false. */
  readonly isOverTls?: boolean;
  /** Returns the certificate that the client has presented; absent: none is accepted. */
  readonly clientCertificate?: () => ClientCertificate | undefined;
}

/** A user or client, with its roles. */
export interface NamedAccount {
  readonly kind: 'user' | 'client';
  readonly name: string;
  readonly roles: readonly string[];
}

/** A user or a client from the configuration. */
export interface Account extends NamedAccount {
  /**
   * Fingerprint in the tokens of the account. The fingerprint changes with the password, and does not reveal
   * the password.
   */
  readonly mark: string;
}

/** A submitted name and password, within {@link NAME_LENGTH} and {@link PASSWORD_LENGTH}. */
export interface LoginAttempt {
  readonly name: string;
  readonly password: Secret;
  /** The peer's IP address. */
  readonly address: string;
  /** Kinds of accounts that may log in. */
  readonly kinds: readonly Account['kind'][];
}

/** Accounts from one load of the configuration. */
export interface Logins {
  readonly accept: ReadonlySet<CredentialScheme>;
  /** Lifetime of a token that is issued for a login, in seconds. */
  readonly tokenTtlSeconds: number;
  /**
   * Returns the account with this name and password. Throws `invalid_credentials` for an unknown name and for
   * a wrong password, with the same text and after the same time. Throws `too_many_requests` after too many
   * failures, and `login_busy` if too many logins run.
   */
  readonly logIn: (attempt: LoginAttempt) => Promise<Account>;
  readonly hasUsers: boolean;
  /** Returns the roles of the account with this name; undefined if there is no such account. */
  readonly rolesOf: (name: string) => readonly string[] | undefined;
  /**
   * Runs a check of a token or code that a caller at this address may have guessed. Counts a failure if the
   * check throws `unauthorized` or a SignInFailure `not_accepted`. Throws `too_many_requests` for a further failure
   * after too many failures; a credential that is right is always accepted.
   */
  readonly guess: <T>(address: string, check: () => Promise<T>) => Promise<T>;
}

/**
 * Kinds of counters of wrong passwords. `stranger` counts unknown names, whose counters therefore cannot
 * evict those of accounts. `network` counts addresses, and `pair` counts one name from one address. `token` counts
 * wrong tokens from one address.
 */
export type AttemptKind = 'account' | 'stranger' | 'network' | 'pair' | 'token';

/** A counter of wrong passwords, and its limit. */
export interface ThrottleKey {
  readonly kind: AttemptKind;
  readonly name: string;
  readonly limit: number;
  /** Length of the window that starts with the first wrong password, in milliseconds. */
  readonly windowMs: number;
}

/** A counter that has reached its limit. */
export interface LockedOutKey {
  readonly place: ThrottleKey;
  /** First moment when guesses are accepted again, in milliseconds of the clock that the attempt was counted with. */
  readonly until: number;
}

/** Counters of wrong passwords, which all nodes share. Every method throws `store_unavailable`. */
export interface AttemptStore {
  /**
   * Increments all counters and resolves to undefined. If a counter is locked, increments none and resolves
   * to the locked counter.
   */
  readonly count: (places: readonly ThrottleKey[], now: number) => Promise<LockedOutKey | undefined>;
  /** Reverts one increment of each counter, after a correct password. */
  readonly takeBack: (places: readonly ThrottleKey[]) => Promise<void>;
}

/** A reason why gatehouse refuses tokens or sign-ins of an issuer, found by asking the issuer. */
export interface IssuerFinding extends LocatedFault {
  /** Present if tokens and sign-ins work nevertheless. */
  readonly isWarning?: true;
}

export interface IssuerCheckOptions {
  /**
   * True also tries the client of the sign-in: its redirect URI and its secret. The issuer may record both
   * attempts as failed sign-ins.
   */
  readonly triesClient?: boolean;
  readonly signal?: AbortSignal;
}

/** A check of one configured issuer that publishes its keys. */
export interface IssuerCheck {
  readonly issuer: string;
  /** Asks the issuer. Pointers are relative to the key `auth`. Never rejects. */
  run(options?: IssuerCheckOptions): Promise<readonly IssuerFinding[]>;
}

/** The result of the latest check of an issuer. */
export interface IssuerState {
  readonly issuer: string;
  /** `unknown` before the first check has ended. */
  readonly state: 'unknown' | 'running' | 'failed';
  /** First reason of a failure; absent without one. */
  readonly reason?: string;
}
