import type { VaultLogin } from './token-calls.js';
import { VaultError } from './vault-error.js';

/**
 * The login, or what to look at where Vault refuses it: what is said of AppRole does not fit the methods that Vault
 * never locks.
 */
export async function explainRefusal(login: Promise<VaultLogin>, fix: string): Promise<VaultLogin> {
  try {
    return await login;
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    if (error.code !== 'VAULT_LOCKED_OUT' && error.code !== 'VAULT_LOGIN_FAILED') throw error;
    if (error.facts.status === undefined) throw error;
    throw new VaultError({ code: 'VAULT_LOGIN_FAILED', message: error.message, fix }, error.facts);
  }
}
