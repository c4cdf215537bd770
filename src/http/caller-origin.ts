import type { IncomingMessage } from 'node:http';

/** Where a request comes from. */
export interface CallerOrigin {
  /** The peer's IP address; empty when it has left. */
  readonly address: string;
  readonly scheme: 'http' | 'https';
}

/** Header in which a request that is handed on tells where it came from. Only the private listener believes it. */
export const ORIGIN_HEADER = 'x-gatehouse-caller';

const conveyed = new WeakMap<IncomingMessage, CallerOrigin>();

/** Where a request comes from, though it may have been handed on by another process of this server. */
export function callerOrigin(req: IncomingMessage): CallerOrigin {
  const known = conveyed.get(req);
  if (known) return known;
  const { socket } = req;
  return { address: socket.remoteAddress ?? '', scheme: 'encrypted' in socket ? 'https' : 'http' };
}

/** The value of {@link ORIGIN_HEADER} for a request. */
export function originLine(req: IncomingMessage): string {
  const { scheme, address } = callerOrigin(req);
  return `${scheme} ${address}`;
}

/** Notes where a request says that it came from, and takes the header out, so that nobody else sees it. */
export function acceptOrigin(req: IncomingMessage): void {
  const { headers, rawHeaders } = req;
  const [scheme, address = ''] = String(headers[ORIGIN_HEADER] ?? '').split(' ', 2);
  conveyed.set(req, { address, scheme: scheme === 'https' ? 'https' : 'http' });
  // Node fills `headers` from the lines on its first use, which was above.
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
  delete headers[ORIGIN_HEADER];
  const at = rawHeaders.findIndex((name, place) => place % 2 === 0 && name.toLowerCase() === ORIGIN_HEADER);
  if (at >= 0) rawHeaders.splice(at, 2);
}
