import type { IncomingMessage } from 'node:http';
import type { ClientCertificate } from '../core/certificate.js';
import { clientAddress, type IsTrustedProxy, peerAddress } from './client-address.js';
import { presentedCertificate } from './client-certificate.js';

/** Address and scheme of a request's client. */
export interface CallerOrigin {
  /** The client's IP address; empty if it is not known. */
  readonly address: string;
  readonly scheme: 'http' | 'https';
}

/** Origins that trusted proxies have reported. */
const forwardedOrigins = new WeakMap<IncomingMessage, CallerOrigin>();

/** Returns the origin of the request's client, also for a request that a trusted proxy forwarded. */
export function callerOrigin(req: IncomingMessage): CallerOrigin {
  return forwardedOrigins.get(req) ?? { address: peerAddress(req.socket), scheme: connectionScheme(req) };
}

/** Returns the certificate that the request's client has presented; undefined if there is none. */
export function clientCertificateOf(req: IncomingMessage): ClientCertificate | undefined {
  // A certificate on a connection of a trusted proxy is that of the proxy, not of the client.
  return forwardedOrigins.has(req) ? undefined : presentedCertificate(req.socket);
}

function connectionScheme({ socket }: IncomingMessage): CallerOrigin['scheme'] {
  return 'encrypted' in socket ? 'https' : 'http';
}

/**
 * Stores the origin that a trusted proxy reports: the client in `X-Forwarded-For`, and the scheme in
 * `X-Forwarded-Proto`. Ignores the headers of any other peer.
 */
export function readProxyHeaders(req: IncomingMessage, isTrusted: IsTrustedProxy): void {
  if (!isTrusted(peerAddress(req.socket))) return;
  const scheme = forwardedScheme(req) ?? connectionScheme(req);
  forwardedOrigins.set(req, { address: clientAddress(req, isTrusted), scheme });
}

/** Returns the scheme in `X-Forwarded-Proto`; of several values, the first is that of the client. */
function forwardedScheme({ headers }: IncomingMessage): CallerOrigin['scheme'] | undefined {
  const [value] = String(headers['x-forwarded-proto'] ?? '').split(',', 1);
  return SCHEMES.get(value?.trim().toLowerCase() ?? '');
}

/** Schemes by the values of `X-Forwarded-Proto`; some proxies report `wss` for a WebSocket. */
const SCHEMES: ReadonlyMap<string, CallerOrigin['scheme']> = new Map([
  ['http', 'http'],
  ['https', 'https'],
  ['ws', 'http'],
  ['wss', 'https'],
]);
