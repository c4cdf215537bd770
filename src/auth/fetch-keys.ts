import type { HttpClient } from '../domain/http.js';
import { parseJsonObject } from './json-object.js';
import { discoveryUrl, keyUrl } from './key-url.js';

const LIMITS = { totalMs: 5000, replyBytes: 256 * 1024 };

/** Where an issuer publishes its keys: the set itself, or the issuer's metadata that names it. */
export interface KeyLocation {
  readonly issuer: string;
  /** Absent: found by discovery. */
  readonly jwksUri?: string;
}

/** Fetches the bytes of an issuer's JWK set. Throws an Error that says what went wrong; no redirect is followed. */
export async function fetchKeys(
  { issuer, jwksUri }: KeyLocation,
  client: HttpClient,
  signal: AbortSignal,
): Promise<Buffer> {
  const get = (url: string | undefined): Promise<Buffer> => fetchJson(url, client, signal);
  return get(jwksUri ?? findKeySet(issuer, await get(discoveryUrl(issuer))));
}

/** The `jwks_uri` of an issuer's metadata, which must be about this issuer (OpenID Connect Discovery 1.0, section 4.3). */
function findKeySet(issuer: string, metadata: Buffer): string {
  const { issuer: name, jwks_uri: uri } = parseJsonObject(metadata);
  if (name !== issuer) throw new Error("the metadata's issuer is another one");
  if (typeof uri !== 'string') throw new Error('the metadata has no jwks_uri');
  // Plain http is for a test issuer on this machine, not for whatever a remote one points at here.
  const isLocal = new URL(uri).protocol === 'http:';
  if (isLocal && new URL(uri).hostname !== new URL(issuer).hostname)
    throw new Error("the metadata's jwks_uri is neither https nor on the issuer's own host");
  return uri;
}

async function fetchJson(url: string | undefined, client: HttpClient, signal: AbortSignal): Promise<Buffer> {
  if (url === undefined || !keyUrl(url)) throw new Error('the address of the keys is not https');
  const request = { method: 'GET', url, headers: { accept: 'application/json' } };
  const { status, body } = await client.send(request, LIMITS, signal);
  if (status !== 200) throw new Error(`the answer has status ${status}`);
  return body;
}
