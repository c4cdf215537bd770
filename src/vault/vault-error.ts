/** Every way in which a secret can fail to arrive; printed by the command line and in the log, so the words are stable. */
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

/** Facts of the exchange that failed. None of them can hold a token, a credential or a value. */
export interface VaultErrorFacts {
  readonly status?: number;
  /** What Vault asked us to wait (`Retry-After`), in milliseconds, capped. */
  readonly retryAfterMs?: number;
  /** True when no byte of the request can have reached Vault. */
  readonly unsent?: true;
  /** True when the request was held back, because Vault did not answer those before it. */
  readonly heldBack?: true;
  /** True when Vault answered, but asking again soon would end the same way. */
  readonly refused?: true;
  /** Number of the version that was asked for and is deleted or destroyed. */
  readonly version?: number;
}

/**
 * A request to Vault, or a secret in its reply, that is of no use. It is built from code, status, host and path only:
 * it never carries a request, a reply or an inner error, because those hold tokens and secrets.
 */
export class VaultError extends Error {
  readonly code: VaultErrorCode;
  /** What to do next, in one sentence. */
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

/** The printable part of a {@link VaultError}: code, what is wrong, what to do next. */
export interface VaultFailure {
  readonly code: VaultErrorCode;
  readonly message: string;
  readonly fix: string;
}

/** The printable part of whatever was thrown; anything but a {@link VaultError} is a bug and is thrown on. */
export function failureOf(error: unknown): VaultFailure {
  if (!(error instanceof VaultError)) throw error;
  return { code: error.code, message: error.message, fix: error.fix };
}
