import { Secret } from '../../core/secret.js';
import type { VaultAuthSettings } from '../../core/settings.js';
import type { Authentication } from './method.js';
import { readCredential } from '../credential-file.js';
import { explainRefusal } from '../login-refusal.js';
import type { TokenCalls } from '../token-calls.js';

type JwtSettings = Extract<VaultAuthSettings, { method: 'jwt' | 'kubernetes' }>;

const FIXES = {
  kubernetes:
    'Check vault.auth.mount and role, and that the role is bound to the service account and the namespace of this pod.',
  jwt: 'Check vault.auth.mount and role, and that the token in vault.auth.jwtFile is still valid and meant for Vault.',
} as const;

/** Login with a JSON Web Token from a file, which Kubernetes and others renew in place: it is read for every login. */
export function jsonWebToken(settings: JwtSettings, calls: TokenCalls): Authentication {
  const role = settings.role === null ? {} : { role: new Secret(settings.role) };
  return {
    ownsToken: true,
    logIn: async () => {
      const jwt = await readCredential(settings.jwtFile, 'jwtFile');
      return explainRefusal(calls.login(settings, { ...role, jwt }), FIXES[settings.method]);
    },
  };
}
