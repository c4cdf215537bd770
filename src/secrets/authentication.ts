import type { VaultAuthSettings } from '../domain/settings.js';
import { appRole } from './authentication-approle.js';
import { certificate } from './authentication-cert.js';
import { jsonWebToken } from './authentication-jwt.js';
import { readyToken } from './authentication-token.js';
import { tokenFile } from './authentication-token-file.js';
import type { Authentication, AuthenticationDeps } from './authentication-method.js';

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
