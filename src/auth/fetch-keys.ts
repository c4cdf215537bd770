import type { HttpClient } from '../core/http.js';
import type { JsonObject } from '../core/json-object.js';
import { parseJsonObject } from './token.js';

/** Limits of one request to an issuer. */
export const ISSUER_LIMITS = { totalMs: 5000, replyBytes: 256 * 1024 };

/** Location of an issuer's keys: the set itself, or the issuer's metadata that names it. */
export interface KeyLocation {
  readonly issuer: string;
  /** Address of the JWK set; absent: found by discovery. */
  readonly jwksUri?: string;
}

/**
 * Fetches the bytes of an issuer's JWK set. Follows no redirect. Throws an Error that describes the failure.
 */
export async function fetchKeys(
  { issuer, jwksUri }: KeyLocation,
  client: HttpClient,
  signal: AbortSignal,
): Promise<Buffer> {
  const found = async (): Promise<string> =>
    endpointOf(await fetchMetadata(issuer, client, signal), 'jwks_uri');
  return fetchJson(jwksUri ?? (await found()), client, signal);
}

/**
 * Fetches an issuer's metadata, which must be about this issuer (OpenID Connect Discovery 1.0, section 4.3).
 * Follows no redirect. Throws an Error that describes the failure.
 */
export async function fetchMetadata(
  issuer: string,
  client: HttpClient,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const metadata = parseJsonObject(await fetchJson(discoveryUrl(issuer), client, signal));
  if (metadata['issuer'] !== issuer) throw new Error("the metadata's issuer is another one");
  return metadata;
}

/** Returns the URL in a member of an issuer's metadata. Throws an Error if there is no usable URL. */
export function endpointOf(metadata: JsonObject, name: string): string {
  const { issuer, [name]: uri } = metadata;
  if (typeof uri !== 'string') throw new Error(`the metadata has no ${name}`);
  // Plain http is for a test issuer on this host. A remote issuer must not use it to point to this host.
  const isLocal = new URL(uri).protocol === 'http:';
  if (isLocal && new URL(uri).hostname !== new URL(String(issuer)).hostname)
    throw new Error(`the metadata's ${name} is neither https nor on the issuer's own host`);
  return uri;
}

async function fetchJson(url: string | undefined, client: HttpClient, signal?: AbortSignal): Promise<Buffer> {
  if (url === undefined || !keyUrl(url)) throw new Error('the address of the keys is not https');
  const request = { method: 'GET', url, headers: { accept: 'application/json' } };
  const { status, body } = await client.send(request, ISSUER_LIMITS, signal);
  if (status !== 200) throw new Error(`the answer has status ${status}`);
  return body;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Returns the URL if keys may be fetched from it: https, or http to this host, and without credentials. */
export function keyUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return safe && url.username === '' && url.password === '' ? url : undefined;
}

/**
 * Returns the URL of an issuer's metadata (OpenID Connect Discovery 1.0, section 4); `undefined` if keys may
 * not be fetched from it.
 */
export function discoveryUrl(issuer: string): string | undefined {
  const url = keyUrl(issuer);
  if (url?.search !== '' || url.hash !== '') return undefined;
  return `${url.origin}${url.pathname.replace(/\/$/, '')}/.well-known/openid-configuration`;
}
