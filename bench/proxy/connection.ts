import { connect, type Socket } from 'node:net';
import { ReplyReader, type WireReply } from './reply-reader.js';

/** Receives the reply to a request; undefined if the connection ended first. */
type OnReply = (reply: WireReply | undefined) => void;

/** A connection to the contender that reopens after each close. One request at a time. */
export class Connection {
  readonly #port: number;
  readonly #reader: ReplyReader;
  #socket: Socket | undefined;
  #onReply: OnReply | undefined;
  #ended = false;

  constructor(port: number) {
    this.#port = port;
    this.#reader = new ReplyReader((reply) => {
      if (reply.closes) this.#drop();
      this.#answer(reply);
    });
  }

  /** Sends a request; `keeps` asks for the body of its reply. */
  send(request: Buffer, keeps: boolean, onReply: OnReply): void {
    this.#onReply = onReply;
    this.#reader.keeps = keeps;
    this.#socket ??= this.#open();
    this.#socket.write(request);
  }

  /** Closes the connection without a reply to the pending request. */
  end(): void {
    this.#ended = true;
    this.#drop();
  }

  #open(): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    socket.on('data', (chunk: Buffer) => {
      this.#reader.take(chunk);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      // Ignores events of a dropped socket.
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#answer(undefined);
    });
    return socket;
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  #answer(reply: WireReply | undefined): void {
    const onReply = this.#onReply;
    this.#onReply = undefined;
    if (!this.#ended) onReply?.(reply);
  }
}

/** Sends one request; resolves to the status of the reply, 0 without a reply. */
export function ask(connection: Connection, request: Buffer): Promise<number> {
  return new Promise((resolve) => {
    connection.send(request, false, (reply) => {
      resolve(reply?.status ?? 0);
    });
  });
}
