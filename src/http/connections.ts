import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of one server and the replies that they owe. */
export interface Connections {
  /** Notes a request. False when it must not be served, because its connection is about to end (RFC 9112 section 9.6). */
  begin(req: IncomingMessage, res: ServerResponse): boolean;
  /** The reply to the latest request of a connection. */
  latest(socket: Socket): ServerResponse | undefined;
  /** Requests of all connections whose replies have not ended, but for those whose replies go on as streams. */
  inFlight(): number;
  /** How many there are. */
  count(): number;
  /** Ends each connection after its next reply; idle ones wait for it. */
  retire(): void;
  /** Ends idle connections now and the others after their reply. */
  drain(): void;
  /** Ends all connections now. */
  destroy(): void;
  /** Resolves when there is none. */
  gone(): Promise<void>;
}

/** Replies that one connection may wait for at a time; it ends after them. Thousands in one packet would stall the others. */
const PIPELINED = 16;

/** Keeps account of a server's connections from now on. */
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
  // With TLS, requests travel on a socket of their own on top of the wire.
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

const GOES_ON = Symbol('goes on');

/** Says that a reply whose head is on its way may go on for hours: it is no work that others would have to wait for. */
export function markStreaming(res: ServerResponse): void {
  res.emit(GOES_ON);
}

/** Keeps the replies that have not ended: those of each connection, and of all those that are work. */
class PendingResponses {
  readonly #open = new WeakMap<Socket, Set<ServerResponse>>();
  readonly #work = new Set<ServerResponse>();

  get total(): number {
    return this.#work.size;
  }

  /** Adds a reply; tells how many the connection owes with it. */
  begin(socket: Socket, res: ServerResponse): number {
    const open = this.#open.get(socket) ?? new Set();
    this.#open.set(socket, open.add(res));
    this.#work.add(res);
    res.on(GOES_ON, () => this.#work.delete(res));
    res.once('close', () => {
      open.delete(res);
      this.#work.delete(res);
    });
    return open.size;
  }

  /** A connection that has ended owes nothing; the reply of a tunnel has let go of it, and never closes. */
  forget(socket: Socket): void {
    for (const res of this.#open.get(socket) ?? []) this.#work.delete(res);
    this.#open.delete(socket);
  }
}

/** Ends a connection once it owes nothing. */
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
