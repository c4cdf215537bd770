import type { Clock } from '../core/lib/clock.js';
import type { Secret } from '../core/secret.js';
import type { TokenProvider } from './token-provider.js';
import { VaultError } from './vault-error.js';

/** Minimum time between two new tokens for a request that stays denied, in milliseconds. */
const RELOGIN_EVERY_MS = 60_000;

/** Sends a request with the current token. Requests with the same key are denied together. */
export type WithToken = <T>(key: string, request: (token: Secret) => Promise<T>) => Promise<T>;

/**
 * Creates a function that sends requests. If Vault refuses the token, it replaces the token once and tries
 * again. Throws a {@link VaultError}.
 */
export function createWithToken(tokens: Pick<TokenProvider, 'current' | 'drop'>, clock: Clock): WithToken {
  const relogins = new Map<string, number>();
  return async (key, request) => {
    const token = await tokens.current();
    try {
      return await request(token);
    } catch (error) {
      if (!isDenied(error)) throw error;
      return request(await replacement(key, token, error));
    }
  };

  async function replacement(key: string, token: Secret, denied: VaultError): Promise<Secret> {
    if (clock.now() - (relogins.get(key) ?? -Infinity) < RELOGIN_EVERY_MS) throw denied;
    relogins.set(key, clock.now());
    tokens.drop(token);
    const fresh = await tokens.current();
    if (fresh.reveal() === token.reveal()) throw denied;
    return fresh;
  }
}

function isDenied(error: unknown): error is VaultError {
  return error instanceof VaultError && error.code === 'VAULT_DENIED';
}
