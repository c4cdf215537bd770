/** Codes of all failures to obtain a secret. The command line and the log print them, so they are stable. */
export type VaultErrorCode =
  | 'VAULT_NOT_CONFIGURED'
  | 'VAULT_INSECURE'
  | 'VAULT_ADDRESS'
  | 'VAULT_MOUNT'
  | 'VAULT_REF_MISPLACED'
  | 'VAULT_SETTINGS'
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
  | 'VAULT_WRAP_INVALID'
  | 'VAULT_SEALED'
  | 'VAULT_UNAVAILABLE'
  | 'VAULT_RATE_LIMITED'
  | 'VAULT_TIMEOUT'
  | 'VAULT_TLS'
  | 'VAULT_BAD_RESPONSE'
  | 'VAULT_WRITE_CONFLICT';

/** Facts about the failed request. None of them can contain a token, a credential or a value. */
export interface VaultErrorFacts {
  readonly status?: number;
  /** Delay that Vault requested (`Retry-After`), in milliseconds, capped. */
  readonly retryAfterMs?: number;
  /** True if no byte of the request can have reached Vault. */
  readonly unsent?: true;
  /** True if the request was not sent because Vault did not answer the previous requests. */
  readonly heldBack?: true;
  /** True if Vault answered, but a repetition would soon fail in the same way. */
  readonly refused?: true;
  /** Number of the requested version, which is deleted or destroyed. */
  readonly version?: number;
}

/**
 * A failed request to Vault, or an unusable secret in its reply. It is built from code, status, host and path
 * only. It never carries a request, a reply or an inner error, because those contain tokens and secrets.
 */
export class VaultError extends Error {
  readonly code: VaultErrorCode;
  /** The next step for the operator, in one sentence. */
  readonly fix: string;
  readonly facts: VaultErrorFacts;

  constructor(what: VaultFailure, facts: VaultErrorFacts = {}) {
    super(what.message);
    this.name = 'VaultError';
    this.code = what.code;
    this.fix = what.fix;
    this.facts = facts;
  }
}

/** The printable part of a {@link VaultError}: code, message and next step. */
export interface VaultFailure {
  readonly code: VaultErrorCode;
  readonly message: string;
  readonly fix: string;
}

/** Returns the printable part of a {@link VaultError}. Throws any other error again, because it is a bug. */
export function failureOf(error: unknown): VaultFailure {
  if (!(error instanceof VaultError)) throw error;
  return { code: error.code, message: error.message, fix: error.fix };
}
