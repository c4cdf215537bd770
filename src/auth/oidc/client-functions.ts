import * as openid from 'openid-client';
import type { HttpClient, HttpLimits } from '../../core/http.js';
import { type Clock, elapsedSince } from '../../lib/clock.js';
import { discoveryUrl, endpointOf, keyUrl } from '../fetch-keys.js';
import { failureOf, ClientFailure } from './client-failure.js';
import { configurationOf, createFetch, type SentRequest, insecureIfLocal } from './client-request.js';
import type { DeviceAuthorization, OidcClientSettings, TokenSet, OidcFunctions } from './client-types.js';

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
): OidcFunctions {
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

/** Time for which the metadata is cached, in milliseconds. */
const METADATA_TTL_MS = 600_000;
/**
 * Minimum time between two attempts after a failure, in milliseconds. Anonymous clients can cause attempts,
 * so attempts are limited.
 */
const RETRY_DELAY_MS = 5_000;

interface CachedMetadata {
  readonly value: Promise<openid.ServerMetadata>;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Time for which the value is used, in milliseconds. */
  readonly lifeMs: number;
}

/** Caches metadata for 10 minutes, and a failure for 5 seconds. */
function cachedMetadata(
  fetchMetadata: () => Promise<openid.ServerMetadata>,
  clock: Clock,
): () => Promise<openid.ServerMetadata> {
  let cached: CachedMetadata | undefined;
  return () => {
    if (cached && elapsedSince(clock, cached.at) < cached.lifeMs) return cached.value;
    const value = fetchMetadata();
    cached = { value, at: clock.now(), lifeMs: METADATA_TTL_MS };
    value.catch(() => {
      cached = { value, at: clock.now(), lifeMs: RETRY_DELAY_MS };
    });
    return value;
  };
}

/** Members of the metadata that are URLs to which gatehouse sends requests or browsers. */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint'] as const;
const OPTIONAL_ENDPOINTS = [
  'end_session_endpoint',
  'device_authorization_endpoint',
  'introspection_endpoint',
  'revocation_endpoint',
] as const;

/** Fetches the issuer's metadata (OpenID Connect Discovery 1.0, section 4) and checks its endpoints. */
async function discover(
  issuer: string,
  http: HttpClient,
  limits: HttpLimits,
): Promise<openid.ServerMetadata> {
  const sent: SentRequest = {};
  try {
    if (discoveryUrl(issuer) === undefined) throw new Error('the URL of the issuer is not https');
    const config = await openid.discovery(new URL(issuer), 'unused', undefined, openid.None(), {
      [openid.customFetch]: createFetch(http, limits, sent),
      execute: insecureIfLocal(issuer),
    });
    const metadata = config.serverMetadata();
    checkMetadata(metadata, issuer);
    return metadata;
  } catch (error) {
    if (error instanceof openid.ClientError && error.code === OTHER_ISSUER) throw otherIssuer();
    const { message } = failureOf(error, { endpoint: 'metadata', ...sent });
    throw new ClientFailure('unavailable', message);
  }
}

/** Code of the library for metadata with another `issuer`. */
const OTHER_ISSUER = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

function otherIssuer(): ClientFailure {
  return new ClientFailure('unavailable', 'the metadata names another issuer');
}

function checkMetadata(metadata: openid.ServerMetadata, issuer: string): void {
  if (metadata.issuer !== issuer) throw otherIssuer();
  const methods = metadata.code_challenge_methods_supported;
  if (methods && !methods.includes('S256')) throw new Error('the issuer does not support PKCE with S256');
  for (const name of ENDPOINTS) checkEndpoint(metadata, name);
  for (const name of OPTIONAL_ENDPOINTS) if (metadata[name] !== undefined) checkEndpoint(metadata, name);
}

function checkEndpoint(metadata: openid.ServerMetadata, name: string): void {
  const uri = endpointOf(metadata, name);
  if (!keyUrl(uri)) throw new Error(`the metadata's ${name} is not https`);
}
