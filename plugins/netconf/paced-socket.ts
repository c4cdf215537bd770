import { Duplex } from 'node:stream';
import type { ByteTunnel } from '../../src/core/stream.js';
import { nextTurn } from '../../src/lib/turns.js';

/** Size of one piece in bytes. A packet of SSH has 32 bytes at least, and takes up to 50 microseconds with its answer. */
const PIECE_BYTES = 8192;
/** Bytes that are passed on before others have a turn of the event loop. Node.js reads up to 2 MiB of a socket in one turn. */
const MAX_BYTES_PER_TURN = 2 * PIECE_BYTES;

/**
 * Socket for `ssh2` that passes on what arrives in small pieces, with turns of the event loop between them. While it is paused, it keeps
 * one piece, and the rest of what the system has read; the server waits.
 */
export class PacedSocket extends Duplex {
  readonly #socket: ByteTunnel;
  /** Bytes that have arrived and are not passed on. */
  #rest: Buffer = Buffer.alloc(0);
  #bytesInTurn = 0;
  #isWanted = false;
  #isWaiting = false;
  #isEnded = false;

  constructor(socket: ByteTunnel) {
    super({ readableHighWaterMark: PIECE_BYTES, allowHalfOpen: false });
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      socket.pause();
      this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
      this.#pass();
    });
    const end = (): void => {
      this.#isEnded = true;
      this.#pass();
    };
    socket.once('end', end);
    socket.once('close', end);
    socket.on('error', (error: Error) => this.destroy(error));
  }

  /** Sends small packets at once. */
  setNoDelay(noDelay: boolean): void {
    (this.#socket as { setNoDelay?: (noDelay: boolean) => void }).setNoDelay?.(noDelay);
  }

  override _read(): void {
    this.#isWanted = true;
    this.#pass();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _writev(
    pieces: readonly { readonly chunk: Buffer }[],
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.write(Buffer.concat(pieces.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #pass(): void {
    if (!this.#isWanted || this.#isWaiting) return;
    if (this.#rest.length === 0) {
      if (this.#isEnded) this.push(null);
      else this.#socket.resume();
      return;
    }
    const piece = this.#rest.subarray(0, PIECE_BYTES);
    this.#rest = this.#rest.subarray(piece.length);
    this.#isWanted = false;
    this.#count(piece.length);
    this.push(piece);
  }

  #count(bytes: number): void {
    if (this.#bytesInTurn === 0)
      setImmediate(() => {
        this.#bytesInTurn = 0;
      });
    this.#bytesInTurn += bytes;
    if (this.#bytesInTurn <= MAX_BYTES_PER_TURN) return;
    this.#isWaiting = true;
    void nextTurn().then(() => {
      this.#isWaiting = false;
      this.#pass();
    });
  }
}
