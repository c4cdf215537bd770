import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of one server and their pending replies. */
export interface Connections {
  /**
   * Records a request. Returns false when it must not be served, because its connection is about to end (RFC
   * 9112 section 9.6).
   */
  begin(req: IncomingMessage, res: ServerResponse): boolean;
  /** Returns the reply to the latest request of a connection. */
  latest(socket: Socket): ServerResponse | undefined;
  /**
   * Returns the number of unfinished requests of all connections, except those whose replies continue as
   * streams.
   */
  inFlight(): number;
  /** Returns the number of open connections. */
  count(): number;
  /** Ends each connection after its next reply; idle connections stay open until then. */
  retire(): void;
  /** Ends idle connections now and other connections after their reply. */
  drain(): void;
  /** Ends all connections now. */
  destroy(): void;
  /** Resolves when all connections are closed. */
  gone(): Promise<void>;
}

/**
 * Maximum number of pending replies of one connection; the connection ends after them. Thousands of requests
 * in one packet would stall the other connections.
 */
const PIPELINED = 16;

/** Starts tracking a server's connections. */
export function trackConnections(server: Server, secure: boolean): Connections {
  const wires = new Set<Socket>();
  const replies = new Map<Socket, ServerResponse | undefined>();
  const waiting = new Set<() => void>();
  let draining = false;
  const owed = new PendingResponses();
  const forget = (socket: Socket): void => {
    wires.delete(socket);
    if (wires.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  server.on('connection', (socket: Socket) => {
    wires.add(socket);
    socket.once('close', () => {
      forget(socket);
    });
  });
  // With TLS, requests arrive on a TLS socket that wraps the raw connection.
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    replies.set(socket, undefined);
    socket.once('close', () => {
      replies.delete(socket);
      owed.forget(socket);
    });
  });
  return {
    begin({ socket }, res) {
      const previous = replies.get(socket);
      if (!socket.writable || previous?.shouldKeepAlive === false) return false;
      const open = owed.begin(socket, res);
      if (draining || open >= PIPELINED) res.shouldKeepAlive = false;
      replies.set(socket, res);
      return true;
    },
    latest: (socket) => replies.get(socket),
    inFlight: () => owed.total,
    count: () => wires.size,
    retire() {
      draining = true;
    },
    drain() {
      draining = true;
      for (const [socket, reply] of replies) endAfter(socket, reply);
    },
    destroy() {
      for (const socket of wires) socket.destroy();
    },
    async gone() {
      if (wires.size > 0) await new Promise<void>((resolve) => waiting.add(resolve));
    },
  };
}

const STREAMING = Symbol('streaming');

/** Marks a reply that may continue for hours after its head, so that `inFlight` no longer counts it. */
export function markStreaming(res: ServerResponse): void {
  res.emit(STREAMING);
}

/** Unfinished replies, per connection and in total; the total excludes streams. */
class PendingResponses {
  readonly #open = new WeakMap<Socket, Set<ServerResponse>>();
  readonly #work = new Set<ServerResponse>();

  get total(): number {
    return this.#work.size;
  }

  /** Adds a reply and returns the number of pending replies of its connection. */
  begin(socket: Socket, res: ServerResponse): number {
    const open = this.#open.get(socket) ?? new Set();
    this.#open.set(socket, open.add(res));
    this.#work.add(res);
    res.on(STREAMING, () => this.#work.delete(res));
    res.once('close', () => {
      open.delete(res);
      this.#work.delete(res);
    });
    return open.size;
  }

  /**
   * Removes the replies of a closed connection. The reply of a tunnel is detached from its socket and never
   * emits `close`.
   */
  forget(socket: Socket): void {
    for (const res of this.#open.get(socket) ?? []) this.#work.delete(res);
    this.#open.delete(socket);
  }
}

/** Ends a connection when its pending reply is finished. */
export function endAfter(socket: Socket, reply: ServerResponse | undefined): void {
  if (!reply || reply.writableFinished) {
    socket.destroySoon();
    return;
  }
  reply.shouldKeepAlive = false;
  reply.once('finish', () => {
    socket.destroySoon();
  });
}
