import type { IncomingMessage } from 'node:http';
import type { ClientCertificate } from '../core/client-certificate.js';
import { clientAddress, type IsTrustedProxy, peerAddress } from './client-address.js';
import { presentedCertificate } from './client-certificate.js';

/** Address and scheme of a request's client. */
export interface CallerOrigin {
  /** The client's IP address; empty if it is not known. */
  readonly address: string;
  readonly scheme: 'http' | 'https';
}

/**
 * Name of the header that carries the client's origin between processes of this server. Only the private
 * listener trusts this header.
 */
export const ORIGIN_HEADER = 'x-gatehouse-caller';

interface ForwardedOrigin extends CallerOrigin {
  readonly certificate?: ClientCertificate | undefined;
}

const forwardedOrigins = new WeakMap<IncomingMessage, ForwardedOrigin>();

/**
 * Returns the origin of the request's client, also for a request that a trusted proxy, or another process of this
 * server, forwarded.
 */
export function callerOrigin(req: IncomingMessage): CallerOrigin {
  return forwardedOrigins.get(req) ?? { address: peerAddress(req.socket), scheme: connectionScheme(req) };
}

/**
 * Returns the certificate that the request's client has presented, also for a request that another process of this server
 * forwarded; undefined if there is none.
 */
export function clientCertificateOf(req: IncomingMessage): ClientCertificate | undefined {
  const forwarded = forwardedOrigins.get(req);
  return forwarded ? forwarded.certificate : presentedCertificate(req.socket);
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
  // A certificate on this connection is that of the proxy, not of the client.
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

/** Returns the value of {@link ORIGIN_HEADER} for a request. */
export function originHeader(req: IncomingMessage): string {
  const { scheme, address } = callerOrigin(req);
  const certificate = clientCertificateOf(req);
  const encoded = certificate && Buffer.from(JSON.stringify(certificate)).toString('base64url');
  return [scheme, address, ...(encoded === undefined ? [] : [encoded])].join(' ');
}

/** Stores the origin from the request's header, and removes the header so that no other code reads it. */
export function acceptOrigin(req: IncomingMessage): void {
  const { headers, rawHeaders } = req;
  const [scheme, address = '', encoded] = String(headers[ORIGIN_HEADER] ?? '').split(' ', 3);
  // Only processes of this server reach the private listener, so the certificate has the form of `originHeader`.
  const certificate =
    encoded === undefined
      ? undefined
      : (JSON.parse(Buffer.from(encoded, 'base64url').toString()) as ClientCertificate);
  const origin = { address, scheme: scheme === 'https' ? 'https' : 'http' } as const;
  forwardedOrigins.set(req, certificate ? { ...origin, certificate } : origin);
  // Node has filled `headers` from the raw lines on the access above, so both must lose the header.
  // oxlint-disable-next-line typescript/no-dynamic-delete
  delete headers[ORIGIN_HEADER];
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === ORIGIN_HEADER);
  if (at >= 0) rawHeaders.splice(at, 2);
}
