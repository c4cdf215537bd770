import { Secret } from '../../core/secret.js';
import type { VaultAuthSettings } from '../../core/settings.js';
import type { Authentication, AuthenticationDeps } from './method.js';
import { explainRefusal } from '../login-refusal.js';

type CertSettings = Extract<VaultAuthSettings, { method: 'cert' }>;

const FIX =
  'Check vault.auth.mount and name, and that the role trusts the certificate in vault.tls.certFile, which may have expired.';

/** Login with the client certificate of the connection; its files are read anew, so that a renewed one is used. */
export function certificate(
  settings: CertSettings,
  { calls, rereadTls }: Pick<AuthenticationDeps, 'calls' | 'rereadTls'>,
): Authentication {
  const name = settings.name === null ? {} : { name: new Secret(settings.name) };
  return {
    ownsToken: true,
    logIn: async () => {
      await rereadTls();
      return explainRefusal(calls.login(settings, name), FIX);
    },
  };
}
