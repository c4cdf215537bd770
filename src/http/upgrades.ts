import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.js';

interface UpgradeOptions {
  readonly connections: Connections;
  /** True if the server uses TLS. */
  readonly secure: boolean;
  /** Serves a request for another protocol. Node's HTTP server has detached its socket. */
  readonly serve: (req: IncomingMessage, res: ServerResponse) => void;
}

/**
 * Handles the requests that Node emits as `upgrade`. Clients send offers of HTTP/2 in ordinary requests, also
 * with bodies. The server ignores such an offer (RFC 9110 section 7.8) and attaches the socket again. Returns
 * a predicate for these sockets; their connections must end with the response.
 */
export function handleUpgrades(server: Server, options: UpgradeOptions): (socket: Socket) => boolean {
  const reattached = new WeakSet<Socket>();
  server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node has detached the socket. Without a listener, a reset by the peer would crash the process.
    socket.on('error', () => undefined);
    const serve = (): void => {
      if (socket.destroyed) return;
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      if (req.headers.upgrade?.toLowerCase() === 'h2c') {
        reattached.add(socket);
        socket.unshift(headWithoutHttp2Offer(req));
        server.emit(options.secure ? 'secureConnection' : 'connection', socket);
      } else {
        options.serve(req, createDetachedResponse(req, socket));
      }
    };
    const pendingResponse = options.connections.latestResponse(socket);
    if (pendingResponse && !pendingResponse.writableFinished) pendingResponse.once('close', serve);
    else serve();
  });
  return (socket) => reattached.has(socket);
}

/** Serializes the head of the request without the offer of HTTP/2. */
function headWithoutHttp2Offer({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = rawHeaders.flatMap((name, at) => {
    if (at % 2 === 1 || OFFER_HEADERS.has(name.toLowerCase())) return [];
    const value = rawHeaders[at + 1] ?? '';
    return [`${name}: ${name.toLowerCase() === 'connection' ? withoutHttp2Offer(value) : value}`];
  });
  return Buffer.from([`${method} ${url} HTTP/${httpVersion}`, ...lines, '', ''].join('\r\n'), 'latin1');
}

/** Headers that offer HTTP/2. */
const OFFER_HEADERS: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);

function withoutHttp2Offer(value: string): string {
  return value
    .split(',')
    .filter((token) => !OFFER_HEADERS.has(token.trim().toLowerCase()))
    .join(',');
}

/** Creates a response on a socket that Node has detached; the end of the response closes the connection. */
function createDetachedResponse(req: IncomingMessage, socket: Socket): ServerResponse {
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
 * Watches for the disconnect of an upgrade request's client before the response, because the socket has no
 * other reader during this time. Returns a function that stops the watch; unread bytes stay in the socket.
 */
export function watchClientClose({ headers, socket }: IncomingMessage): () => void {
  if (headers.upgrade === undefined) return () => undefined;
  const readEnd = (): void => {
    // A read of the empty buffer makes the socket emit `end`. A read of a non-empty buffer would lose bytes.
    if (socket.readableLength === 0) socket.read();
  };
  const closeSocket = (): void => {
    socket.destroy();
  };
  socket.on('readable', readEnd).once('end', closeSocket);
  return () => {
    socket.off('readable', readEnd).off('end', closeSocket);
  };
}
