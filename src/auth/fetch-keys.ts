import type { HttpClient, HttpLimits } from '../core/http.js';
import { withoutByteOrderMark } from '../json/byte-order-mark.js';
import type { JsonObject } from '../json/json-object.js';
import type { SignInSettings } from '../settings/settings.js';
import { parseJsonObject } from './token.js';

export const ISSUER_LIMITS = { totalMs: 5000, replyBytes: 256 * 1024 };

/** Returns the limits of one request for a sign-in, with the time-out of its settings. */
export function signInLimits({ timeoutSeconds }: SignInSettings): HttpLimits {
  return { ...ISSUER_LIMITS, totalMs: timeoutSeconds * 1000 };
}

/** Location of an issuer's keys: the URL of the JWK set, or the issuer for discovery. */
export interface KeyLocation {
  readonly issuer: string;
  /** URL of the JWK set; absent: the issuer's metadata contains the URL. */
  readonly jwksUri?: string;
}

/**
 * Returns the URL of an issuer's JWK set, from the metadata of the issuer. Follows no redirect. Throws an Error that
 * describes the failure.
 */
export async function findKeySetUrl(
  issuer: string,
  client: HttpClient,
  signal: AbortSignal,
): Promise<string> {
  return endpointOf(await fetchMetadata(issuer, client, signal), 'jwks_uri');
}

/** Fetches the bytes of a JWK set. Follows no redirect. Throws an Error that describes the failure. */
export function fetchKeySet(url: string, client: HttpClient, signal: AbortSignal): Promise<Buffer> {
  return fetchJson(url, client, signal);
}

/**
 * Fetches an issuer's metadata and checks that the metadata names this issuer (OpenID Connect Discovery 1.0,
 * section 4.3). Follows no redirect. Throws an Error that describes the failure.
 */
async function fetchMetadata(issuer: string, client: HttpClient, signal?: AbortSignal): Promise<JsonObject> {
  const metadata = parseIssuerJson(await fetchJson(discoveryUrl(issuer), client, signal));
  if (metadata['issuer'] !== issuer) throw new Error('the metadata names another issuer');
  return metadata;
}

/** Parses a document of an issuer as one JSON object, without a byte order mark. Throws an Error with the reason. */
export function parseIssuerJson(body: Buffer): JsonObject {
  return parseJsonObject(withoutByteOrderMark(body));
}

/** Returns the URL in a member of an issuer's metadata. Throws an Error if the member is not a usable URL. */
export function endpointOf(metadata: JsonObject, name: string): string {
  const { issuer, [name]: uri } = metadata;
  if (typeof uri !== 'string') throw new Error(`the metadata has no ${name}`);
  // Plain http is for a test issuer on this host. A remote issuer must not refer to this host by plain http.
  const isLocal = new URL(uri).protocol === 'http:';
  if (isLocal && new URL(uri).hostname !== new URL(String(issuer)).hostname)
    throw new Error(`the metadata's ${name} is neither https nor on the host of the issuer`);
  return uri;
}

async function fetchJson(url: string | undefined, client: HttpClient, signal?: AbortSignal): Promise<Buffer> {
  if (url === undefined || !keyUrl(url)) throw new Error('the URL of the keys is not https');
  const request = { method: 'GET', url, headers: { accept: 'application/json' } };
  const { status, body } = await client.send(request, ISSUER_LIMITS, signal);
  if (status !== 200) throw new Error(`the answer has status ${status}`);
  return body;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the parsed URL if it is suitable for keys: https, or http to this host, without credentials.
 * Returns `undefined` otherwise.
 */
export function keyUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return safe && url.username === '' && url.password === '' ? url : undefined;
}

/**
 * Returns the URL of an issuer's metadata (OpenID Connect Discovery 1.0, section 4); `undefined` if the
 * issuer is not a suitable URL.
 */
export function discoveryUrl(issuer: string): string | undefined {
  const url = keyUrl(issuer);
  if (url?.search !== '' || url.hash !== '') return undefined;
  return `${url.origin}${url.pathname.replace(/\/$/, '')}/.well-known/openid-configuration`;
}
