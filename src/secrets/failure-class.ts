import type { VaultErrorCode } from './vault-error.js';

/** What kind of failure it is (5.7): whose fault, and whether time alone may mend it. For metrics and the log. */
export type FailureClass = 'unavailable' | 'login' | 'denied' | 'gone' | 'field' | 'other';

const CLASSES: Partial<Record<VaultErrorCode, FailureClass>> = {
  VAULT_SEALED: 'unavailable',
  VAULT_UNAVAILABLE: 'unavailable',
  VAULT_RATE_LIMITED: 'unavailable',
  VAULT_TIMEOUT: 'unavailable',
  VAULT_TLS: 'unavailable',
  VAULT_BAD_RESPONSE: 'unavailable',
  VAULT_LOGIN_FAILED: 'login',
  VAULT_LOCKED_OUT: 'login',
  VAULT_DENIED: 'denied',
  VAULT_NOT_FOUND: 'gone',
  VAULT_VERSION_DELETED: 'gone',
  VAULT_VERSION_DESTROYED: 'gone',
  VAULT_FIELD_MISSING: 'field',
  VAULT_FIELD_REQUIRED: 'field',
  VAULT_FIELD_NOT_SCALAR: 'field',
  VAULT_FIELD_EMPTY: 'field',
  VAULT_FIELD_ENCODING: 'field',
};

/** The class of a failure. */
export function failureClass(code: VaultErrorCode): FailureClass {
  return CLASSES[code] ?? 'other';
}

/** True when Vault itself could not be used, whatever was asked of it. */
export function isOutage(code: VaultErrorCode): boolean {
  const found = failureClass(code);
  return found === 'unavailable' || found === 'login';
}
