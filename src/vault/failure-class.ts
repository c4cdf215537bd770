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

/** The class of a failure. */
export function failureClass(code: string): FailureClass {
  return CLASSES[code as VaultErrorCode] ?? 'other';
}

/** True when Vault itself could not be used, whatever was asked of it. */
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

/** True for the code of a failure that passes by itself when Vault is back. */
export function mayPass(code: string): boolean {
  return PASSING.has(code);
}

const DENIED: ReadonlySet<string> = new Set<VaultErrorCode>([
  'VAULT_DENIED',
  'VAULT_LOGIN_FAILED',
  'VAULT_LOCKED_OUT',
]);

/** True for the code of a failure with which Vault refuses us. */
export function isDenial(code: string): boolean {
  return DENIED.has(code);
}

/** True for the code of a failure that leaves no reference with a value: a server that needs secrets cannot start. */
export function isFatalAtBoot(code: string): boolean {
  return mayPass(code) || failureClass(code) === 'login' || code === 'VAULT_TLS';
}
