import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address.js';

/** Address and scheme of a request's client. */
export interface CallerOrigin {
  /** The client's IP address; empty after the client has disconnected. */
  readonly address: string;
  readonly scheme: 'http' | 'https';
}

/**
 * Name of the header that carries the client's origin between processes of this server. Only the private
 * listener trusts this header.
 */
export const ORIGIN_HEADER = 'x-gatehouse-caller';

const forwardedOrigins = new WeakMap<IncomingMessage, CallerOrigin>();

/**
 * Returns the origin of the request's client, also for a request that another process of this server
 * forwarded.
 */
export function callerOrigin(req: IncomingMessage): CallerOrigin {
  const forwarded = forwardedOrigins.get(req);
  if (forwarded) return forwarded;
  return { address: clientAddress(req), scheme: 'encrypted' in req.socket ? 'https' : 'http' };
}

/** Returns the value of {@link ORIGIN_HEADER} for a request. */
export function originHeader(req: IncomingMessage): string {
  const { scheme, address } = callerOrigin(req);
  return `${scheme} ${address}`;
}

/** Stores the origin from the request's header, and removes the header so that no other code reads it. */
export function acceptOrigin(req: IncomingMessage): void {
  const { headers, rawHeaders } = req;
  const [scheme, address = ''] = String(headers[ORIGIN_HEADER] ?? '').split(' ', 2);
  forwardedOrigins.set(req, { address, scheme: scheme === 'https' ? 'https' : 'http' });
  // Node has filled `headers` from the raw lines on the access above, so both must lose the header.
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
  delete headers[ORIGIN_HEADER];
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === ORIGIN_HEADER);
  if (at >= 0) rawHeaders.splice(at, 2);
}
