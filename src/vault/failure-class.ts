import type { VaultErrorCode } from './vault-error.js';

/** Class of a failure (5.7): its origin, and whether it may pass without action. For metrics and the log. */
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
  VAULT_LEASE_ENDED: 'unavailable',
  VAULT_NOT_FOUND: 'gone',
  VAULT_VERSION_DELETED: 'gone',
  VAULT_VERSION_DESTROYED: 'gone',
  VAULT_FIELD_MISSING: 'field',
  VAULT_FIELD_REQUIRED: 'field',
  VAULT_FIELD_NOT_SCALAR: 'field',
  VAULT_FIELD_EMPTY: 'field',
  VAULT_FIELD_ENCODING: 'field',
};

/** Returns the class of a failure code. */
export function failureClass(code: string): FailureClass {
  return CLASSES[code as VaultErrorCode] ?? 'other';
}

/** Returns true if Vault itself was unusable, whatever the request. */
export function isVaultOutage(code: string): boolean {
  const found = failureClass(code);
  return found === 'unavailable' || found === 'login';
}

const PASSING: ReadonlySet<string> = new Set<VaultErrorCode>([
  'VAULT_UNAVAILABLE',
  'VAULT_TIMEOUT',
  'VAULT_SEALED',
  'VAULT_RATE_LIMITED',
]);

/** Returns true for the code of a failure that passes when Vault is available again. */
export function mayPass(code: string): boolean {
  return PASSING.has(code);
}

const DENIED: ReadonlySet<string> = new Set<VaultErrorCode>([
  'VAULT_DENIED',
  'VAULT_LOGIN_FAILED',
  'VAULT_LOCKED_OUT',
]);

/** Returns true for the code of a failure by which Vault refuses access. */
export function isDenial(code: string): boolean {
  return DENIED.has(code);
}

/**
 * Returns true for the code of a failure that leaves every reference without a value. A server that needs
 * secrets cannot start then.
 */
export function isFatalAtBoot(code: string): boolean {
  return mayPass(code) || failureClass(code) === 'login' || code === 'VAULT_TLS';
}
