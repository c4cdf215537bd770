/** Codes of all failures to obtain a secret. The command line and the log print them, so they are stable. */
export type SecretErrorCode =
  | 'VAULT_NOT_CONFIGURED'
  | 'VAULT_INSECURE'
  | 'VAULT_ADDRESS'
  | 'VAULT_MOUNT'
  | 'VAULT_REF_MISPLACED'
  | 'VAULT_SETTINGS'
  | 'VAULT_PATH_FORBIDDEN'
  | 'VAULT_NOT_FOUND'
  | 'VAULT_VERSION_DELETED'
  | 'VAULT_VERSION_DESTROYED'
  | 'VAULT_KV_VERSION_MISMATCH'
  | 'VAULT_FIELD_MISSING'
  | 'VAULT_FIELD_REQUIRED'
  | 'VAULT_FIELD_NOT_SCALAR'
  | 'VAULT_FIELD_EMPTY'
  | 'VAULT_FIELD_ENCODING'
  | 'VAULT_DENIED'
  | 'VAULT_LEASE_ENDED'
  | 'VAULT_LOGIN_FAILED'
  | 'VAULT_LOCKED_OUT'
  | 'VAULT_LOGIN_UNAVAILABLE'
  | 'VAULT_WRAP_INVALID'
  | 'VAULT_STILL_WRAPPED'
  | 'VAULT_SEALED'
  | 'VAULT_ENGINE_FAILED'
  | 'VAULT_UNAVAILABLE'
  | 'VAULT_RATE_LIMITED'
  | 'VAULT_TIMEOUT'
  | 'VAULT_TLS'
  | 'VAULT_BAD_RESPONSE'
  | 'VAULT_WRITE_CONFLICT'
  | 'FILE_NOT_CONFIGURED'
  | 'FILE_NOT_FOUND'
  | 'FILE_OUTSIDE_ROOT'
  | 'FILE_NOT_REGULAR'
  | 'FILE_TOO_LARGE'
  | 'FILE_DENIED'
  | 'FILE_UNREADABLE'
  | 'FILE_NOT_TEXT'
  | 'FILE_NOT_JSON'
  | 'FILE_EMPTY'
  | 'FILE_FIELD_MISSING'
  | 'FILE_FIELD_NOT_SCALAR'
  | 'FILE_FIELD_EMPTY'
  | 'FILE_ENCODING';

/** Facts about the failed request. None of them can contain a token, a credential or a value. */
export interface SecretErrorFacts {
  readonly status?: number;
  /** Delay that Vault requested (`Retry-After`), in milliseconds, capped. */
  readonly retryAfterMs?: number;
  /** True if no byte of the request can have reached Vault. */
  readonly unsent?: true;
  /** True if the request was not sent because the circuit breaker is open. */
  readonly circuitOpen?: true;
  /** True if Vault answered, but a repetition would soon fail in the same way. */
  readonly refused?: true;
  /** True if Vault does not know the token, so that no policy matters. */
  readonly tokenRefused?: true;
  /** True if Vault has nothing at the path, and its reply gives no reason. */
  readonly isNothing?: true;
  /** Number of the requested version, which is deleted or destroyed. */
  readonly version?: number;
}

/**
 * A failed request to Vault, or an unusable secret in its reply. It is built from code, status, host and path
 * only. It never carries a request, a reply or an inner error, because those contain tokens and secrets.
 */
export class SecretError extends Error {
  readonly code: SecretErrorCode;
  /** The next step for the operator, in one sentence. */
  readonly fix: string;
  readonly facts: SecretErrorFacts;

  constructor(failure: SecretFailure, facts: SecretErrorFacts = {}) {
    super(failure.message);
    this.name = 'SecretError';
    this.code = failure.code;
    this.fix = failure.fix;
    this.facts = facts;
  }
}

/** The printable part of a {@link SecretError}: code, message and next step. */
export interface SecretFailure {
  readonly code: SecretErrorCode;
  readonly message: string;
  readonly fix: string;
}

/** Returns the printable part of a {@link SecretError}. Throws any other error again, because it is a bug. */
export function failureOf(error: unknown): SecretFailure {
  if (!(error instanceof SecretError)) throw error;
  return { code: error.code, message: error.message, fix: error.fix };
}

/** Class of a failure (5.7): its origin, and whether it may pass without action. For metrics and the log. */
type FailureClass = 'unavailable' | 'login' | 'denied' | 'gone' | 'field' | 'other';

const CLASS_BY_CODE: Partial<Record<SecretErrorCode, FailureClass>> = {
  VAULT_SEALED: 'unavailable',
  VAULT_UNAVAILABLE: 'unavailable',
  VAULT_ENGINE_FAILED: 'unavailable',
  VAULT_LOGIN_UNAVAILABLE: 'unavailable',
  VAULT_RATE_LIMITED: 'unavailable',
  VAULT_TIMEOUT: 'unavailable',
  VAULT_TLS: 'unavailable',
  VAULT_BAD_RESPONSE: 'unavailable',
  VAULT_LOGIN_FAILED: 'login',
  VAULT_LOCKED_OUT: 'login',
  VAULT_WRAP_INVALID: 'login',
  VAULT_DENIED: 'denied',
  VAULT_LEASE_ENDED: 'unavailable',
  VAULT_NOT_FOUND: 'gone',
  VAULT_VERSION_DELETED: 'gone',
  VAULT_VERSION_DESTROYED: 'gone',
  VAULT_FIELD_MISSING: 'field',
  VAULT_FIELD_REQUIRED: 'field',
  VAULT_FIELD_NOT_SCALAR: 'field',
  VAULT_FIELD_EMPTY: 'field',
  VAULT_FIELD_ENCODING: 'field',
  FILE_NOT_FOUND: 'gone',
  FILE_OUTSIDE_ROOT: 'denied',
  FILE_NOT_REGULAR: 'gone',
  FILE_DENIED: 'denied',
  FILE_EMPTY: 'field',
  FILE_FIELD_MISSING: 'field',
  FILE_FIELD_NOT_SCALAR: 'field',
  FILE_FIELD_EMPTY: 'field',
  FILE_ENCODING: 'field',
};

export function failureClass(code: string): FailureClass {
  return CLASS_BY_CODE[code as SecretErrorCode] ?? 'other';
}

/** Returns true if Vault itself was unusable, whatever the request. */
export function isVaultOutage(code: string): boolean {
  const failureKind = failureClass(code);
  return failureKind === 'unavailable' || failureKind === 'login';
}

const TRANSIENT_CODES: ReadonlySet<string> = new Set<SecretErrorCode>([
  'VAULT_UNAVAILABLE',
  'VAULT_TIMEOUT',
  'VAULT_SEALED',
  'VAULT_RATE_LIMITED',
  'VAULT_ENGINE_FAILED',
  'VAULT_LOGIN_UNAVAILABLE',
]);

/** Returns true for the code of a failure that passes when Vault is available again. */
export function mayPass(code: string): boolean {
  return TRANSIENT_CODES.has(code);
}

const DENIAL_CODES: ReadonlySet<string> = new Set<SecretErrorCode>([
  'VAULT_DENIED',
  'VAULT_LOGIN_FAILED',
  'VAULT_LOCKED_OUT',
  'VAULT_WRAP_INVALID',
]);

/** Returns true for the code of a failure by which Vault refuses access. */
export function isDenial(code: string): boolean {
  return DENIAL_CODES.has(code);
}

/**
 * Returns true for the code of a failure that can leave every reference without a value: no reply, no login, or a
 * Vault that serves nobody. Other failures concern their path only.
 */
export function concernsAllPaths(code: string): boolean {
  if (code === 'VAULT_ENGINE_FAILED') return false;
  return mayPass(code) || failureClass(code) === 'login' || code === 'VAULT_TLS';
}
