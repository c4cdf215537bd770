import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { removeItem } from '../lib/remove-item.js';
import { type ConnectionPlaces, isReservedPlace } from './connection-places.js';

/** The connections of one server and their pending responses. */
export interface Connections {
  /**
   * Records a request. Returns false if the server must not serve the request, because its connection is
   * about to end (RFC 9112 section 9.6).
   */
  beginRequest(req: IncomingMessage, res: ServerResponse): boolean;
  /** Returns the response to the latest request of a connection, while it is unfinished. */
  latestResponse(socket: Socket): ServerResponse | undefined;
  /**
   * Returns the number of unfinished requests of all connections. Requests with streamed responses do not
   * count.
   */
  inFlight(): number;
  /** Ends each connection after its next response; idle connections stay open until then. */
  readonly retire: () => void;
  /**
   * Ends idle connections now, and other connections after their response. The request of a connection that has just
   * been opened may be on its way, so such a connection ends after this request, or a second without one.
   */
  drain(): void;
  /** Ends all connections now. */
  destroy(): void;
  /** Resolves when all connections are closed. */
  allClosed(): Promise<void>;
}

/**
 * Maximum number of pending responses of one connection; the connection ends after these responses. Without
 * this limit, thousands of requests in one packet would stall the other connections.
 */
const MAX_PIPELINED_RESPONSES = 16;

/** Time for the first request of a new connection while the server drains, in milliseconds. */
const FIRST_REQUEST_MS = 1000;

/** An open connection with its requests. It refers to no finished response, which would keep all of its call in memory. */
interface Connection {
  readonly socket: Socket;
  /** Unfinished responses, the latest last; seldom more than one. */
  readonly pending: ServerResponse[];
  /** True after the head of a request. */
  hasRequested: boolean;
  /** True after a response that was the last of the connection. */
  hasEnded: boolean;
  readonly counts: PendingResponses;
}

/** Starts tracking a server's connections, and closes those that get no place. */
export function trackConnections(server: Server, secure: boolean, places: ConnectionPlaces): Connections {
  const sockets = new OpenSockets();
  const connections = new Map<Socket, Connection>();
  const latestResponse = (socket: Socket) => connections.get(socket)?.pending.at(-1);
  const newConnections = new NewConnections((socket) => connections.get(socket)?.hasRequested === true);
  let retiring = false;
  let draining = false;
  const pending = new PendingResponses((socket) => {
    places.finish(socket);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    if (!places.admit(socket)) socket.destroy();
  });
  // With TLS, requests arrive on a TLS socket that wraps the raw connection.
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (secure) places.secure(socket);
    const connection = { socket, pending: [], hasRequested: false, hasEnded: false, counts: pending };
    connections.set(socket, connection);
    connectionOf.set(socket, connection);
    newConnections.add(socket);
    if (draining) newConnections.endUnlessUsed(socket);
    socket.once('close', () => {
      connections.delete(socket);
      pending.removeConnection(connection);
    });
  });
  return {
    beginRequest({ socket }, res) {
      const connection = connections.get(socket);
      if (!connection || !socket.writable || isEnding(connection)) return false;
      const pendingCount = pending.begin(connection, res);
      if (retiring || pendingCount >= MAX_PIPELINED_RESPONSES || isReservedPlace(socket))
        res.shouldKeepAlive = false;
      places.begin(socket);
      connection.hasRequested = true;
      return true;
    },
    latestResponse,
    inFlight: () => pending.total,
    retire() {
      retiring = true;
    },
    drain() {
      retiring = true;
      draining = true;
      for (const { socket, hasRequested, pending: unfinished } of connections.values())
        if (!hasRequested && newConnections.has(socket)) newConnections.endUnlessUsed(socket);
        else endAfter(socket, unfinished.at(-1));
    },
    destroy() {
      sockets.destroy();
    },
    allClosed: () => sockets.allClosed(),
  };
}

/** Returns true for a connection whose latest response is its last. */
function isEnding({ hasEnded, pending }: Connection): boolean {
  return hasEnded || pending.at(-1)?.shouldKeepAlive === false;
}

/** All open connections of a server, also those without a place or a TLS handshake. */
class OpenSockets {
  readonly #sockets = new Set<Socket>();
  readonly #waiters = new Set<() => void>();

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#remove(socket);
    });
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Resolves when all connections are closed. */
  async allClosed(): Promise<void> {
    if (this.#sockets.size > 0) await new Promise<void>((resolve) => this.#waiters.add(resolve));
  }

  #remove(socket: Socket): void {
    this.#sockets.delete(socket);
    if (this.#sockets.size > 0) return;
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }
}

/** Connections whose first request may be on its way when the server drains. */
class NewConnections {
  readonly #openedAt = new WeakMap<Socket, number>();
  readonly #isUsed: (socket: Socket) => boolean;

  /** `isUsed` returns true for a connection that had a request. */
  constructor(isUsed: (socket: Socket) => boolean) {
    this.#isUsed = isUsed;
  }

  add(socket: Socket): void {
    this.#openedAt.set(socket, performance.now());
  }

  /** Returns true for a connection that has been open for less than {@link FIRST_REQUEST_MS}. */
  has(socket: Socket): boolean {
    return performance.now() - (this.#openedAt.get(socket) ?? -Infinity) < FIRST_REQUEST_MS;
  }

  /** Ends a connection that has no request within {@link FIRST_REQUEST_MS}. */
  endUnlessUsed(socket: Socket): void {
    const timer = setTimeout(() => {
      if (!this.#isUsed(socket)) socket.destroySoon();
    }, FIRST_REQUEST_MS);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  }
}

const connectionOf = new WeakMap<Socket, Connection>();

/** Marks a response that may continue for hours after its head, so that `inFlight` no longer counts it. */
export function markStreaming(res: ServerResponse): void {
  const connection = connectionOf.get(res.req.socket);
  connection?.counts.exclude(connection, res);
}

/**
 * Unfinished responses, per connection and in total; the total excludes streams. Responses are counted, not collected: V8 copies
 * the table of a Set every few dozen members, and the tables of before would keep the calls in them until the next full collection.
 */
class PendingResponses {
  /** Unfinished responses that the total excludes. */
  readonly #streams = new Set<ServerResponse>();
  #total = 0;
  readonly #onFinished: (socket: Socket) => void;

  /** `onFinished` is called after the last pending response of a connection. */
  constructor(onFinished: (socket: Socket) => void) {
    this.#onFinished = onFinished;
  }

  get total(): number {
    return this.#total;
  }

  /** Adds a response and returns the number of pending responses of its connection. */
  begin(connection: Connection, res: ServerResponse): number {
    const { socket, pending } = connection;
    pending.push(res);
    this.#total += 1;
    res.on('close', () => {
      if (!removeItem(pending, res)) return;
      connection.hasEnded ||= !res.shouldKeepAlive;
      this.#end(res);
      if (pending.length === 0) this.#onFinished(socket);
    });
    return pending.length;
  }

  /** Removes a response from the total. */
  exclude({ pending }: Connection, res: ServerResponse): void {
    if (!pending.includes(res) || this.#streams.has(res)) return;
    this.#streams.add(res);
    this.#total -= 1;
  }

  /**
   * Removes the responses of a closed connection. The response of a tunnel is detached from its socket and
   * never emits `close`.
   */
  removeConnection({ pending }: Connection): void {
    for (const res of pending.splice(0)) this.#end(res);
  }

  #end(res: ServerResponse): void {
    if (!this.#streams.delete(res)) this.#total -= 1;
  }
}

/** Ends a connection when its pending response is finished. */
export function endAfter(socket: Socket, response: ServerResponse | undefined): void {
  if (!response || response.writableFinished) {
    socket.destroySoon();
    return;
  }
  response.shouldKeepAlive = false;
  response.once('finish', () => {
    socket.destroySoon();
  });
}
