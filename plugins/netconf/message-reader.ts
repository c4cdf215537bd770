import type { Duplex } from 'node:stream';
import { Problem } from '../../src/core/problem.js';
import type { ReplyBytes, ReplyMemory } from '../../src/core/reply-memory.js';
import { FrameDecoder, InvalidFrame } from './framing.js';
import type { MessageTask } from './reader-threads.js';
import type { MessageContent } from './thread-tasks.js';

/** How the messages of a session are read. */
export interface ReadSettings {
  /** Reads a message in a thread. */
  readonly read: (task: MessageTask) => Promise<MessageContent>;
  /** Memory for the messages that arrive and are read. */
  readonly memory: ReplyMemory;
  /** Maximum size of a message, in bytes. */
  readonly maxBytes: number;
}

/** Input of {@link MessageReader}. */
interface MessageReaderInput extends ReadSettings {
  /** Stream of the session, which is paused while messages are read. */
  readonly stream: Pick<Duplex, 'isPaused' | 'pause' | 'resume'>;
  /** Returns what the thread has to know to read the next message. */
  readonly context: () => Omit<MessageTask, 'message'>;
  readonly onMessage: (message: MessageContent) => void;
  readonly onFailure: (failure: Problem) => void;
}

/** Maximum size of a hello, in bytes. */
const MAX_HELLO_BYTES = 2 * 1024 * 1024;

/**
 * Takes the messages out of the bytes of a session, and has them read in a thread, one after the other: the hello decides how the next
 * bytes are framed.
 */
export class MessageReader {
  readonly #input: MessageReaderInput;
  readonly #decoder: FrameDecoder;
  readonly #memory: ReplyBytes;
  #isReading = false;
  #isClosed = false;
  /** Size of the message that is read. */
  #readBytes = 0;
  /** Bytes that the server may still send, and the failure beyond them. */
  #allowance: { bytes: number; readonly excess: Problem } | undefined;

  constructor(input: MessageReaderInput) {
    this.#input = input;
    this.#memory = input.memory.open();
    this.#decoder = new FrameDecoder(Math.min(input.maxBytes, MAX_HELLO_BYTES));
  }

  /** Adds bytes of the server. */
  push(bytes: Buffer): void {
    // A server may go on sending after the end.
    if (this.#isClosed) return;
    try {
      if (this.#allowance && (this.#allowance.bytes -= bytes.length) < 0) throw this.#allowance.excess;
      this.#decoder.push(bytes);
      if (this.#isReading) this.#reserve();
    } catch (error) {
      this.#input.onFailure(badReply(error));
      return;
    }
    // While a message is read, the server must not fill the memory.
    if (this.#isReading) this.#input.stream.pause();
    else void this.#readMessages();
  }

  /** Accepts messages of full size after the hello. */
  endHello(isChunked: boolean): void {
    this.#decoder.limitMessages(this.#input.maxBytes);
    if (isChunked) this.#decoder.useChunks();
  }

  /** Fails with the Problem when the server sends more bytes, until the returned function is called. */
  limitReceived(bytes: number, excess: Problem): () => void {
    this.#allowance = { bytes, excess };
    return () => {
      this.#allowance = undefined;
    };
  }

  /** Frees the memory. No further message is read. */
  close(): void {
    this.#isClosed = true;
    this.#input.memory.release();
  }

  async #readMessages(): Promise<void> {
    const { read, context, onMessage, onFailure, stream } = this.#input;
    this.#isReading = true;
    try {
      for (let message = this.#next(); message; message = this.#next()) {
        const content = await read({ message, ...context() });
        if (this.#isClosed) break;
        if (content.kind === 'invalid') throw new InvalidFrame(content.reason, content.isTooLarge);
        onMessage(content);
      }
    } catch (error) {
      onFailure(badReply(error));
    }
    this.#isReading = false;
    if (stream.isPaused()) stream.resume();
  }

  #next(): Buffer | undefined {
    if (this.#isClosed) return undefined;
    const message = this.#decoder.next();
    this.#readBytes = message?.length ?? 0;
    this.#reserve();
    return message;
  }

  /** Reserves the memory of the message that is read, and of the bytes after it. Throws `overloaded`. */
  #reserve(): void {
    this.#memory.resize(this.#readBytes + this.#decoder.heldBytes);
  }
}

function badReply(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidFrame) {
    const code = error.isTooLarge ? 'upstream_too_large' : 'upstream_bad_reply';
    return new Problem(code, `what the server sent ${error.message}`);
  }
  return new Problem('upstream_bad_reply', 'the reply of the server cannot be read', { cause: error });
}
