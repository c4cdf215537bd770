import * as openid from 'openid-client';
import type { HttpClient, HttpLimits } from '../../core/http.js';
import type { Clock } from '../../lib/clock.js';
import { failureOf } from './client-failure.js';
import { cachedMetadata, discover } from './client-metadata.js';
import { configurationOf, createFetch, type SentRequest } from './client-request.js';
import type { DeviceAuthorization, OidcClient, OidcClientSettings, TokenSet } from './client-types.js';

interface ClientFunctionDeps {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly limits: HttpLimits;
}

/** Runs one request of the library to the endpoint with this name, and converts its errors. */
type Run = <T>(endpoint: string, request: (config: openid.Configuration) => Promise<T>) => Promise<T>;

/** Creates the functions of a client with the package openid-client. */
export function createClientFunctions(
  settings: OidcClientSettings,
  { http, clock, limits }: ClientFunctionDeps,
): Omit<OidcClient, 'close'> {
  const { issuer } = settings;
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
  };
}

async function startDeviceAuthorization(scope: string, run: Run): Promise<DeviceAuthorization> {
  // Keycloak requires PKCE for this grant as well if it requires PKCE of the client. Others ignore it.
  const verifier = openid.randomPKCECodeVerifier();
  const challenge = await openid.calculatePKCECodeChallenge(verifier);
  const started = await run('device authorization endpoint', (config) =>
    openid.initiateDeviceAuthorization(config, {
      scope,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  );
  const { verification_uri_complete: complete } = started;
  return {
    userCode: started.user_code,
    verificationUri: started.verification_uri,
    ...(complete !== undefined && { verificationUriComplete: complete }),
    expiresIn: started.expires_in,
    tokens: (signal) =>
      run('token endpoint', async (config) =>
        tokenSetOf(
          await openid.pollDeviceAuthorizationGrant(
            config,
            started,
            { code_verifier: verifier },
            signal ? { signal } : {},
          ),
        ),
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
