import type { IncomingMessage } from 'node:http';

/** Address and scheme of a request's client. */
export interface CallerOrigin {
  /** The client's IP address; empty after it has disconnected. */
  readonly address: string;
  readonly scheme: 'http' | 'https';
}

/**
 * Header that carries the client's origin between processes of this server. Only the private listener trusts
 * this header.
 */
export const ORIGIN_HEADER = 'x-gatehouse-caller';

const conveyed = new WeakMap<IncomingMessage, CallerOrigin>();

/** Returns the origin of a request, even if another process of this server forwarded the request. */
export function callerOrigin(req: IncomingMessage): CallerOrigin {
  const known = conveyed.get(req);
  if (known) return known;
  const { socket } = req;
  return { address: socket.remoteAddress ?? '', scheme: 'encrypted' in socket ? 'https' : 'http' };
}

/** Returns the value of {@link ORIGIN_HEADER} for a request. */
export function originLine(req: IncomingMessage): string {
  const { scheme, address } = callerOrigin(req);
  return `${scheme} ${address}`;
}

/** Stores the origin from the request's header and removes the header, so that no other code sees it. */
export function acceptOrigin(req: IncomingMessage): void {
  const { headers, rawHeaders } = req;
  const [scheme, address = ''] = String(headers[ORIGIN_HEADER] ?? '').split(' ', 2);
  conveyed.set(req, { address, scheme: scheme === 'https' ? 'https' : 'http' });
  // Node derives `headers` from the raw lines on first access, which is above.
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
  delete headers[ORIGIN_HEADER];
  const at = rawHeaders.findIndex((name, place) => place % 2 === 0 && name.toLowerCase() === ORIGIN_HEADER);
  if (at >= 0) rawHeaders.splice(at, 2);
}
