import * as openid from 'openid-client';
import type { HttpLimits, OpenHttpClient } from '../../core/http.js';
import type { Clock } from '../../core/lib/clock.js';
import { ISSUER_LIMITS } from '../fetch-keys.js';
import { failureOf } from './client-failure.js';
import { cachedMetadata, discover } from './client-metadata.js';
import { configurationOf, createFetch, type OidcClientSettings, type SentRequest } from './client-request.js';

export interface OidcClientDeps {
  readonly openHttpClient: OpenHttpClient;
  readonly clock: Clock;
  /** Limits of one request to the issuer; default: 5 seconds and 256 KiB. */
  readonly limits?: HttpLimits;
}

/** Tokens of a response of the token endpoint. */
export interface TokenSet {
  readonly accessToken: string;
  /** Its claims were checked; its signature was not. */
  readonly idToken?: string;
  readonly refreshToken?: string;
  /** Lifetime of the access token in seconds, as the issuer reports it. */
  readonly expiresIn?: number;
}

/** Values that bind an authorization response to its request. */
export interface CodeChecks {
  /** Redirect URI of the authorization request. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Response of the device authorization endpoint (RFC 8628 section 3.2). */
export interface DeviceAuthorization {
  readonly userCode: string;
  readonly verificationUri: string;
  /** Contains the user code; absent if the issuer does not support this. */
  readonly verificationUriComplete?: string;
  /** Lifetime of the user code, in seconds. */
  readonly expiresIn: number;
  /**
   * Polls the token endpoint until the person has decided. Rejects with `refused` and the error
   * `access_denied` or `expired_token`, or with `unavailable`.
   */
  readonly tokens: (signal?: AbortSignal) => Promise<TokenSet>;
}

/**
 * An OpenID Connect client of one issuer. All protocol steps are those of the package openid-client; all
 * requests use the HTTP client of gatehouse. Every method rejects with a {@link ClientFailure}.
 */
export interface OidcClient {
  /** Returns the issuer's metadata, which is cached for 10 minutes. */
  metadata(): Promise<openid.ServerMetadata>;
  /** Returns the URL of an authorization request with these additional parameters. */
  authorizationUrl(parameters: Readonly<Record<string, string>>): Promise<string>;
  /** Exchanges the code of an authorization response (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
  exchangeCode(response: URLSearchParams, checks: CodeChecks): Promise<TokenSet>;
  /** Exchanges a refresh token (RFC 6749 section 6). */
  refresh(refreshToken: string): Promise<TokenSet>;
  /** Starts a device authorization (RFC 8628). */
  startDeviceAuthorization(scope: string): Promise<DeviceAuthorization>;
  /**
   * Returns the URL that ends the person's session at the issuer (OpenID Connect RP-Initiated Logout 1.0);
   * `undefined` if the issuer has no `end_session_endpoint`.
   */
  endSessionUrl(parameters: Readonly<Record<string, string>>): Promise<string | undefined>;
  /** Asks the issuer about a token (RFC 7662). Returns true for an active token. */
  isActive(token: string): Promise<boolean>;
  /** Revokes a token (RFC 7009); does nothing if the issuer has no revocation endpoint. */
  revoke(token: string): Promise<void>;
  close(): Promise<void>;
}

/** Runs one request of the library to the endpoint with this name, and converts its errors. */
type Run = <T>(endpoint: string, request: (config: openid.Configuration) => Promise<T>) => Promise<T>;

/** Opens an OpenID Connect client. Opens no connection. */
export function openOidcClient(settings: OidcClientSettings, deps: OidcClientDeps): OidcClient {
  const { openHttpClient, clock, limits = ISSUER_LIMITS } = deps;
  const { issuer, ca } = settings;
  const http = openHttpClient(ca === undefined ? {} : { tls: { ca } });
  const metadata = cachedMetadata(() => discover(issuer, http, limits), clock);
  const configuration = async (): Promise<openid.Configuration> =>
    configurationOf(await metadata(), settings, clock);
  const run: Run = async (endpoint, request) => {
    const config = await configuration();
    const sent: SentRequest = {};
    config[openid.customFetch] = createFetch(http, limits, sent);
    try {
      return await request(config);
    } catch (error) {
      throw failureOf(error, { endpoint, ...sent });
    }
  };

  return {
    metadata,
    async authorizationUrl(parameters) {
      return openid.buildAuthorizationUrl(await configuration(), { ...parameters }).href;
    },
    exchangeCode: (response, { redirectUri, state, nonce, codeVerifier }) =>
      run('token endpoint', async (config) => {
        const currentUrl = new URL(redirectUri);
        currentUrl.search = response.toString();
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
        return tokenSetOf(await openid.authorizationCodeGrant(config, currentUrl, checks));
      }),
    refresh: (refreshToken) =>
      run('token endpoint', async (config) =>
        tokenSetOf(await openid.refreshTokenGrant(config, refreshToken)),
      ),
    startDeviceAuthorization: (scope) => startDeviceAuthorization(scope, run),
    async endSessionUrl(parameters) {
      const { end_session_endpoint: endpoint } = await metadata();
      if (endpoint === undefined) return undefined;
      return openid.buildEndSessionUrl(await configuration(), { ...parameters }).href;
    },
    isActive: (token) =>
      run('introspection endpoint', async (config) => {
        const { active } = await openid.tokenIntrospection(config, token, {
          token_type_hint: 'access_token',
        });
        return active;
      }),
    async revoke(token) {
      const { revocation_endpoint: endpoint } = await metadata();
      if (endpoint !== undefined)
        await run('revocation endpoint', (config) => openid.tokenRevocation(config, token));
    },
    close: () => http.close(),
  };
}

async function startDeviceAuthorization(scope: string, run: Run): Promise<DeviceAuthorization> {
  const started = await run('device authorization endpoint', (config) =>
    openid.initiateDeviceAuthorization(config, { scope }),
  );
  const { verification_uri_complete: complete } = started;
  return {
    userCode: started.user_code,
    verificationUri: started.verification_uri,
    ...(complete !== undefined && { verificationUriComplete: complete }),
    expiresIn: started.expires_in,
    tokens: (signal) =>
      run('token endpoint', async (config) =>
        tokenSetOf(await openid.pollDeviceAuthorizationGrant(config, started, {}, signal ? { signal } : {})),
      ),
  };
}

function tokenSetOf(response: openid.TokenEndpointResponse): TokenSet {
  const { access_token: accessToken, id_token: idToken, refresh_token: refreshToken } = response;
  const { expires_in: expiresIn } = response;
  return {
    accessToken,
    ...(idToken !== undefined && { idToken }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresIn !== undefined && { expiresIn }),
  };
}
