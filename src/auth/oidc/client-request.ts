import * as openid from 'openid-client';
import type { HttpClient, HttpLimits } from '../../core/http.js';
import type { Secret } from '../../core/secret.js';
import type { Clock } from '../../lib/clock.js';
import { parseIssuerJson } from '../fetch-keys.js';
import type { OidcClientSettings } from './client-types.js';

/** The last request that the library sent. */
export interface SentRequest {
  /** The response; absent if there was none. */
  response?: { readonly status: number; readonly isJsonObject: boolean };
}

/** Allows plain http for a test issuer on this host, see `keyUrl`. */
export function insecureIfLocal(issuer: string): ((config: openid.Configuration) => void)[] {
  // The library marks this function as deprecated to warn of plain http; `keyUrl` limits it to this host.
  // oxlint-disable-next-line typescript/no-deprecated
  return issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [];
}

export function configurationOf(
  server: openid.ServerMetadata,
  { issuer, clientId, clientSecret, clockToleranceSeconds = 30 }: OidcClientSettings,
  clock: Clock,
): openid.Configuration {
  const times = {
    // The library reads the system clock.
    [openid.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
    [openid.clockTolerance]: clockToleranceSeconds,
  };
  const config = new openid.Configuration(server, clientId, times, clientAuthOf(server, clientSecret));
  for (const apply of insecureIfLocal(issuer)) apply(config);
  return config;
}

/** Returns the method by which the client sends its secret: `client_secret_basic` if the issuer supports it. */
function clientAuthOf(server: openid.ServerMetadata, secret: Secret | undefined): openid.ClientAuth {
  if (secret === undefined) return openid.None();
  const methods = server.token_endpoint_auth_methods_supported;
  const acceptsBasic = !methods || methods.includes('client_secret_basic');
  return acceptsBasic ? clientSecretBasic(secret) : openid.ClientSecretPost(secret.reveal());
}

/**
 * Creates the method `client_secret_basic` (RFC 6749 section 2.3.1). The library also percent-encodes hyphens
 * and dots, which issuers that do not decode credentials refuse.
 */
function clientSecretBasic(secret: Secret): openid.ClientAuth {
  const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return (...[, { client_id: id }, , headers]) => {
    const credentials = Buffer.from(`${encode(id)}:${encode(secret.reveal())}`).toString('base64');
    headers.set('authorization', `Basic ${credentials}`);
  };
}

/** Creates the `fetch` of the library from the HTTP client of gatehouse. Follows no redirect. */
export function createFetch(http: HttpClient, limits: HttpLimits, sent: SentRequest): openid.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    delete sent.response;
    const request = {
      method,
      url,
      headers: { ...headers },
      ...(body !== undefined && body !== null && { body: bytesOf(body) }),
    };
    const reply = await http.send(request, limits, signal);
    sent.response = { status: reply.status, isJsonObject: isJsonObject(reply.body) };
    const replyHeaders = Object.entries(reply.headers).flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((text): [string, string] => [name, text]),
    );
    const hasBody = ![204, 205, 304].includes(reply.status);
    return new Response(hasBody ? new Uint8Array(reply.body) : null, {
      status: reply.status,
      headers: replyHeaders,
    });
  };
}

function isJsonObject(body: Buffer): boolean {
  try {
    parseIssuerJson(body);
    return true;
  } catch {
    return false;
  }
}

function bytesOf(body: openid.FetchBody): Buffer {
  if (typeof body === 'string' || body instanceof URLSearchParams) return Buffer.from(String(body));
  if (body instanceof Uint8Array) return Buffer.from(body);
  throw new TypeError('the body of a request to an issuer is neither text nor bytes');
}
