import * as openid from 'openid-client';
import type { HttpClient, HttpLimits } from '../../core/http.js';
import type { Clock } from '../../lib/clock.js';
import { discoveryUrl, endpointOf, keyUrl } from '../fetch-keys.js';
import { ClientFailure, failureOf } from './client-failure.js';
import { createFetch, insecureIfLocal, type SentRequest } from './client-request.js';

/** Time for which the metadata is cached, in milliseconds. */
const METADATA_TTL_MS = 600_000;
/**
 * Minimum time between two attempts after a failure, in milliseconds. Anonymous clients can cause attempts,
 * so attempts are limited.
 */
const RETRY_DELAY_MS = 5_000;

/** Caches metadata for 10 minutes, and a failure for 5 seconds. */
export function cachedMetadata(
  fetchMetadata: () => Promise<openid.ServerMetadata>,
  clock: Clock,
): () => Promise<openid.ServerMetadata> {
  let cached: { readonly value: Promise<openid.ServerMetadata>; readonly expiresAt: number } | undefined;
  return () => {
    if (cached && clock.now() < cached.expiresAt) return cached.value;
    const value = fetchMetadata();
    cached = { value, expiresAt: clock.now() + METADATA_TTL_MS };
    value.catch(() => {
      cached = { value, expiresAt: clock.now() + RETRY_DELAY_MS };
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
export async function discover(
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
