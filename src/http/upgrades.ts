import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.js';

export interface UpgradeOptions {
  readonly connections: Connections;
  /** True where requests travel over TLS. */
  readonly secure: boolean;
  /** Serves a request for another protocol on its raw socket, which Node's HTTP server has detached. */
  readonly take: (req: IncomingMessage, res: ServerResponse) => void;
}

/**
 * Handles the requests that Node emits as `upgrade`. A request that only offers HTTP/2 is served as an
 * ordinary request (RFC 9110 section 7.8); clients send such offers with ordinary requests, bodies included.
 * Returns a predicate for sockets of such requests, whose connection must end with the response.
 */
export function takeUpgrades(server: Server, options: UpgradeOptions): (socket: Socket) => boolean {
  const reattached = new WeakSet<Socket>();
  server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node has detached the socket: without a listener, a reset by the peer would end the process.
    socket.on('error', () => undefined);
    const serve = (): void => {
      if (socket.destroyed) return;
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      if (req.headers.upgrade?.toLowerCase() === 'h2c') {
        reattached.add(socket);
        socket.unshift(headWithoutOffer(req));
        server.emit(options.secure ? 'secureConnection' : 'connection', socket);
      } else {
        options.take(req, bareResponse(req, socket));
      }
    };
    const owed = options.connections.latest(socket);
    if (owed && !owed.writableFinished) owed.once('close', serve);
    else serve();
  });
  return (socket) => reattached.has(socket);
}

/** Serializes the head of the request again, without the offer of HTTP/2. */
function headWithoutOffer({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = rawHeaders.flatMap((name, at) => {
    if (at % 2 === 1 || OFFER.has(name.toLowerCase())) return [];
    const value = rawHeaders[at + 1] ?? '';
    return [`${name}: ${name.toLowerCase() === 'connection' ? withoutOffer(value) : value}`];
  });
  return Buffer.from([`${method} ${url} HTTP/${httpVersion}`, ...lines, '', ''].join('\r\n'), 'latin1');
}

const OFFER: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);

function withoutOffer(value: string): string {
  return value
    .split(',')
    .filter((token) => !OFFER.has(token.trim().toLowerCase()))
    .join(',');
}

/** Creates a response on a socket that is detached from the server; the response ends the connection. */
function bareResponse(req: IncomingMessage, socket: Socket): ServerResponse {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  socket.on('drain', () => res.emit('drain'));
  res.once('finish', () => {
    res.detachSocket(socket);
    socket.destroySoon();
    res.emit('close');
  });
  return res;
}

/**
 * Detects that the client of an upgrade request disconnects before the response; the socket has no other
 * reader during that time. The returned function stops the watch and leaves unread bytes to the next reader.
 */
export function watchClientClose({ headers, socket }: IncomingMessage): () => void {
  if (headers.upgrade === undefined) return () => undefined;
  const look = (): void => {
    // Reading reveals the end of the connection, and loses no bytes only when the buffer is empty.
    if (socket.readableLength === 0) socket.read();
  };
  const leave = (): void => {
    socket.destroy();
  };
  socket.on('readable', look).once('end', leave);
  return () => {
    socket.off('readable', look).off('end', leave);
  };
}
