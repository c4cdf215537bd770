import type { VaultAuthSettings } from '../../core/settings.js';
import { appRole } from './approle.js';
import { certificate } from './cert.js';
import { jsonWebToken } from './jwt.js';
import { readyToken } from './token.js';
import { tokenFile } from './token-file.js';
import type { Authentication, AuthenticationDeps } from './method.js';

/** The authentication that the settings ask for. Nothing is read before the first login. */
export function authenticationFor(settings: VaultAuthSettings, deps: AuthenticationDeps): Authentication {
  switch (settings.method) {
    case 'token':
      return readyToken(settings, deps);
    case 'token_file':
      return tokenFile(settings, deps);
    case 'approle':
      return appRole(settings, deps);
    case 'kubernetes':
    case 'jwt':
      return jsonWebToken(settings, deps.calls);
    case 'cert':
      return certificate(settings, deps);
  }
}
