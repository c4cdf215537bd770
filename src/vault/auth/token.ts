import type { Log } from '../../core/log.js';
import { Secret } from '../../core/secret.js';
import type { VaultAuthSettings } from '../../core/settings.js';
import type { Authentication, AuthenticationDeps } from './method.js';
import { missingCredential, readCredential } from '../credential-file.js';
import type { VaultLogin } from '../token-calls.js';
import { VaultError } from '../vault-error.js';

type TokenSettings = Extract<VaultAuthSettings, { method: 'token' }>;

/**
 * Creates the authentication with a given token. The token is renewed if possible, and neither replaced nor
 * revoked.
 */
export function readyToken(
  { tokenFile, tokenEnv }: TokenSettings,
  { calls, env, log }: AuthenticationDeps,
): Authentication {
  return {
    ownsToken: false,
    logIn: async () => {
      const token =
        tokenFile === undefined ? tokenFrom(env, tokenEnv) : await readCredential(tokenFile, 'tokenFile');
      try {
        const login = await calls.lookUpSelf(token);
        if (!login.renewable) warnOfEnd(login, log);
        return login;
      } catch (error) {
        if (!isForbidden(error)) throw error;
        // A token may lack the policy for its own lookup. The first read shows whether the token is valid.
        log.warn('vault does not say how long its token lives');
        return { token, leaseSeconds: null, grantedSeconds: 0, renewable: false };
      }
    },
  };
}

function warnOfEnd({ leaseSeconds }: VaultLogin, log: Log): void {
  if (leaseSeconds !== 0)
    log.warn('vault token cannot be renewed; put a new one in its place before it ends', { leaseSeconds });
}

function isForbidden(error: unknown): boolean {
  return error instanceof VaultError && error.facts.status === 403;
}

function tokenFrom(env: AuthenticationDeps['env'], name: string): Secret {
  const token = env[name]?.trim();
  if (token) return new Secret(token);
  throw missingCredential(
    `The environment variable ${name} is not set`,
    `Set ${name}, or name a file in vault.auth.tokenFile.`,
  );
}
