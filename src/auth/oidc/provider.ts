import type { Clock } from '../../core/lib/clock.js';
import type { HttpClient } from '../../core/http.js';
import type { JsonObject } from '../../core/json-object.js';
import { endpointOf, fetchMetadata } from '../fetch-keys.js';
import { keyUrl } from '../key-url.js';

const FRESH_MS = 600_000;
/** Minimum time between two attempts after a failure, in milliseconds; anonymous clients can cause them. */
const RETRY_MS = 5_000;

/** The metadata of an identity provider (OpenID Connect Discovery 1.0, section 3) that a sign-in needs. */
export interface ProviderMetadata {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** How a client sends its secret. */
  readonly clientAuth: 'basic' | 'post';
  /** True if every answer names the issuer (RFC 9207). */
  readonly namesIssuer: boolean;
}

/**
 * Creates a function that returns a provider's metadata, which is cached for 10 minutes. Rejects with an
 * Error that describes the fault.
 */
export function createMetadataSource(
  issuer: string,
  client: HttpClient,
  clock: Clock,
): () => Promise<ProviderMetadata> {
  let held: { readonly value: Promise<ProviderMetadata>; readonly until: number } | undefined;
  return () => {
    if (held && clock.now() < held.until) return held.value;
    const value = fetchMetadata(issuer, client).then(readMetadata);
    held = { value, until: clock.now() + FRESH_MS };
    value.catch(() => {
      held = { value, until: clock.now() + RETRY_MS };
    });
    return value;
  };
}

function readMetadata(metadata: JsonObject): ProviderMetadata {
  const methods = metadata['code_challenge_methods_supported'];
  if (Array.isArray(methods) && !methods.includes('S256'))
    throw new Error('the issuer knows no PKCE with S256');
  const auth = metadata['token_endpoint_auth_methods_supported'];
  const takesBasic = !Array.isArray(auth) || auth.includes('client_secret_basic');
  return {
    authorizationEndpoint: safeEndpoint(metadata, 'authorization_endpoint'),
    tokenEndpoint: safeEndpoint(metadata, 'token_endpoint'),
    clientAuth: takesBasic ? 'basic' : 'post',
    namesIssuer: metadata['authorization_response_iss_parameter_supported'] === true,
  };
}

function safeEndpoint(metadata: JsonObject, name: string): string {
  const uri = endpointOf(metadata, name);
  if (!keyUrl(uri)) throw new Error(`the metadata's ${name} is not https`);
  return uri;
}
