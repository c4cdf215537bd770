import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.js';

export interface UpgradeOptions {
  readonly connections: Connections;
  /** True where requests travel over TLS. */
  readonly secure: boolean;
  /** Serves a request that asks for another protocol: on its bare connection, which Node has let go of. */
  readonly take: (req: IncomingMessage, res: ServerResponse) => void;
}

/**
 * Takes the requests that Node hands over because they ask for another protocol. Those that only offer HTTP/2 are served as if
 * they had not (RFC 9110 section 7.8); clients do so with ordinary requests, bodies included. True from then on for
 * connections of such requests, which must end with their answer.
 */
export function takeUpgrades(server: Server, options: UpgradeOptions): (socket: Socket) => boolean {
  const anew = new WeakSet<Socket>();
  server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node has let go of the socket: without a listener, a peer's reset would end the process.
    socket.on('error', () => undefined);
    const serve = (): void => {
      if (socket.destroyed) return;
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      if (req.headers.upgrade?.toLowerCase() === 'h2c') {
        anew.add(socket);
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
  return (socket) => anew.has(socket);
}

/** The head of the request again, as it would be without its offer. */
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

/** A response on a connection that no server looks after any more; it ends the connection. */
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
 * Notices that the sender of an upgrade leaves while it waits for the answer: nobody reads from its connection meanwhile. The
 * result ends the watch and leaves what was sent to the next reader.
 */
export function watchClientClose({ headers, socket }: IncomingMessage): () => void {
  if (headers.upgrade === undefined) return () => undefined;
  const look = (): void => {
    // Only an empty connection can tell its end without losing a byte.
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
