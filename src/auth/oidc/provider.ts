import type { Clock } from '../../core/lib/clock.js';
import type { HttpClient, HttpLimits, HttpRequest } from '../../core/http.js';
import type { JsonObject } from '../../core/json-object.js';
import { endpointOf, fetchMetadata, keyUrl } from '../fetch-keys.js';
import type { SignInSettings } from '../../core/settings.js';
import { SignInFailure } from '../../core/sign-in.js';
import { parseJsonObject } from '../token.js';
import type { Flow } from './flow.js';

/** Time for which the metadata is cached, in milliseconds. */
const METADATA_TTL_MS = 600_000;
/**
 * Minimum time between two attempts after a failure, in milliseconds. Anonymous clients can cause attempts,
 * so attempts are limited.
 */
const RETRY_DELAY_MS = 5_000;

/** The metadata of an identity provider (OpenID Connect Discovery 1.0, section 3) that a sign-in needs. */
export interface ProviderMetadata {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** Method by which a client sends its secret. */
  readonly clientAuth: 'basic' | 'post';
  /** True if every authorization response names the issuer (RFC 9207). */
  readonly namesIssuer: boolean;
}

/**
 * Creates a function that returns a provider's metadata and caches the metadata for 10 minutes. The function
 * rejects with an Error that describes the fault.
 */
export function createMetadataSource(
  issuer: string,
  client: HttpClient,
  clock: Clock,
): () => Promise<ProviderMetadata> {
  let cached: { readonly value: Promise<ProviderMetadata>; readonly expiresAt: number } | undefined;
  return () => {
    if (cached && clock.now() < cached.expiresAt) return cached.value;
    const value = fetchMetadata(issuer, client).then(readMetadata);
    cached = { value, expiresAt: clock.now() + METADATA_TTL_MS };
    value.catch(() => {
      cached = { value, expiresAt: clock.now() + RETRY_DELAY_MS };
    });
    return value;
  };
}

function readMetadata(metadata: JsonObject): ProviderMetadata {
  const methods = metadata['code_challenge_methods_supported'];
  if (Array.isArray(methods) && !methods.includes('S256'))
    throw new Error('the issuer does not support PKCE with S256');
  const auth = metadata['token_endpoint_auth_methods_supported'];
  const acceptsBasic = !Array.isArray(auth) || auth.includes('client_secret_basic');
  return {
    authorizationEndpoint: safeEndpoint(metadata, 'authorization_endpoint'),
    tokenEndpoint: safeEndpoint(metadata, 'token_endpoint'),
    clientAuth: acceptsBasic ? 'basic' : 'post',
    namesIssuer: metadata['authorization_response_iss_parameter_supported'] === true,
  };
}

function safeEndpoint(metadata: JsonObject, name: string): string {
  const uri = endpointOf(metadata, name);
  if (!keyUrl(uri)) throw new Error(`the metadata's ${name} is not https`);
  return uri;
}

/** Parameters of a code exchange. */
export interface CodeExchange {
  readonly code: string;
  readonly flow: Flow;
  readonly redirectUri: string;
  readonly settings: SignInSettings;
  readonly metadata: ProviderMetadata;
}

/** HTTP client and limits for the token endpoint. */
export interface TokenEndpointClient {
  readonly client: HttpClient;
  readonly limits: HttpLimits;
}

/**
 * Exchanges a code for tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.5). Follows no redirect. Throws
 * `not_accepted` if the issuer refuses the code, and `issuer_unavailable` for any other failure.
 */
export async function exchangeCode(
  exchange: CodeExchange,
  { client, limits }: TokenEndpointClient,
): Promise<JsonObject> {
  const { status, body } = await client.send(tokenRequest(exchange), limits).catch(unavailable);
  // The error contains only the status, because the body may repeat secrets.
  if (status === 400 || status === 401 || status === 403)
    throw new SignInFailure('not_accepted', `the token endpoint refuses with status ${status}`);
  if (status !== 200)
    throw new SignInFailure('issuer_unavailable', `the token endpoint answers with status ${status}`);
  try {
    return parseJsonObject(body);
  } catch (error) {
    return unavailable(error);
  }
}

function tokenRequest({ code, flow, redirectUri, settings, metadata }: CodeExchange): HttpRequest {
  const { clientId, clientSecret } = settings;
  const isBasic = clientSecret !== undefined && metadata.clientAuth === 'basic';
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: flow.codeVerifier,
    ...(!isBasic && { client_id: clientId }),
    ...(clientSecret && !isBasic && { client_secret: clientSecret.reveal() }),
  };
  return {
    method: 'POST',
    url: metadata.tokenEndpoint,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic && { authorization: basicOf(clientId, clientSecret.reveal()) }),
    },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  };
}

/** Returns Basic credentials. Both parts are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function basicOf(id: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`;
}

function unavailable(error: unknown): never {
  const reason = error instanceof Error ? error.message : 'unknown';
  throw new SignInFailure('issuer_unavailable', `the token endpoint: ${reason}`);
}
