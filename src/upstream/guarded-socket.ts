import type { Socket } from 'node:net';
import type { ConnectionReuse } from './connection-reuse.js';
import { InterimReplies } from './interim-replies.js';

/** Maximum size of one read, in bytes. */
const MAX_READ_BYTES = 4_096;

/** State of a connection that had served a request before, when it ended. */
export interface EndedConnection {
  /** True if a request was written, and not one byte of a reply had arrived. */
  readonly isUnanswered: boolean;
}

const ENDED = new WeakMap<Error, EndedConnection>();

/** Returns the state of the reused connection that ended with this error; undefined for every other error. */
export function endedConnectionOf(error: unknown): EndedConnection | undefined {
  return error instanceof Error ? ENDED.get(error) : undefined;
}

/**
 * Prepares a connection for undici, one request at a time. Reads return at most 4 KiB, nothing after the socket is destroyed, and no
 * informational responses. The end of a reused connection is noted for `endedConnectionOf` and for the reuse of connections.
 *
 * The parser of undici reads a chunk to its end although the head is already too large, and creates an error for every line: with
 * 64 KiB of lines it blocks the process for a third of a second.
 */
export function guardSocket(socket: Socket, reuse: ConnectionReuse): Socket {
  const guard = new SocketGuard(socket, reuse);
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      if (socket.destroyed) return null;
      const bytes = read(size ?? (socket.readableLength > MAX_READ_BYTES ? MAX_READ_BYTES : undefined));
      if (bytes === null) return null;
      const reply = guard.received(bytes);
      if (reply.length > 0) return reply;
    }
  };
  socket.write = (...args: unknown[]): boolean => {
    guard.writing();
    return write(...args);
  };
  socket.on('error', (error) => {
    guard.ended(error);
  });
  return socket;
}

const NO_BYTES = Buffer.alloc(0);

class SocketGuard {
  readonly #socket: Socket;
  readonly #reuse: ConnectionReuse;
  readonly #interim = new InterimReplies();
  #requests = 0;
  #isUnanswered = false;

  constructor(socket: Socket, reuse: ConnectionReuse) {
    this.#socket = socket;
    this.#reuse = reuse;
    reuse.noteOpened(socket);
  }

  /** A request is written in one piece or in two, its head and its body, before anything else happens. */
  writing(): void {
    if (this.#isUnanswered) return;
    this.#isUnanswered = true;
    this.#requests += 1;
    this.#interim.begin();
  }

  received(bytes: Buffer): Buffer {
    if (this.#isUnanswered && this.#requests > 1) this.#reuse.noteReply();
    this.#isUnanswered = false;
    try {
      return this.#interim.remove(bytes);
    } catch (error) {
      this.#socket.destroy(error as Error);
      return NO_BYTES;
    }
  }

  ended(error: Error): void {
    if (!isEndByPeer(error)) return;
    const isReused = this.#requests > (this.#isUnanswered ? 1 : 0);
    if (!isReused) return;
    ENDED.set(error, { isUnanswered: this.#isUnanswered });
    if (this.#isUnanswered) this.#reuse.noteDrop(this.#socket);
  }
}

/** Returns true for the errors with which a peer, or the network, ends a connection; this server ends connections with others. */
export function isEndByPeer(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE' || error.message === 'other side closed';
}
