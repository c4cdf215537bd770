import type { HttpLimits, OpenHttpClient } from '../../core/http.js';
import type { Clock } from '../../lib/clock.js';
import { ISSUER_LIMITS } from '../fetch-keys.js';
import type { OidcClient, OidcClientSettings, OidcFunctions } from './client-types.js';

interface OidcClientDeps {
  readonly openHttpClient: OpenHttpClient;
  readonly clock: Clock;
  /** Limits of one request to the issuer; default: 5 seconds and 256 KiB. */
  readonly limits?: HttpLimits;
}

/**
 * Opens an OpenID Connect client. Opens no connection. Loads the package at the first use, because most processes never
 * use it.
 */
export function openOidcClient(settings: OidcClientSettings, deps: OidcClientDeps): OidcClient {
  const { openHttpClient, clock, limits = ISSUER_LIMITS } = deps;
  const { ca } = settings;
  const http = openHttpClient(ca === undefined ? {} : { tls: { ca } });
  let loading: Promise<OidcFunctions> | undefined;
  const functions = (): Promise<OidcFunctions> =>
    (loading ??= import('./client-functions.js').then(({ createClientFunctions }) =>
      createClientFunctions(settings, { http, clock, limits }),
    ));
  return {
    metadata: async () => (await functions()).metadata(),
    authorizationUrl: async (parameters) => (await functions()).authorizationUrl(parameters),
    exchangeCode: async (response, checks) => (await functions()).exchangeCode(response, checks),
    refresh: async (refreshToken) => (await functions()).refresh(refreshToken),
    startDeviceAuthorization: async (scope) => (await functions()).startDeviceAuthorization(scope),
    endSessionUrl: async (parameters) => (await functions()).endSessionUrl(parameters),
    isActive: async (token) => (await functions()).isActive(token),
    revoke: async (token) => (await functions()).revoke(token),
    close: () => http.close(),
  };
}
