import type { ReplyBytes } from '../core/reply-memory.js';

/** Size of a body up to which it needs no reservation, and is allocated in advance, in bytes. */
const SMALL_BODY_BYTES = 65_536;

/** Initial buffer size without a declared length, in bytes. */
const DEFAULT_BUFFER_BYTES = 4096;

/** Limits of a {@link ByteSink}. */
interface ByteSinkLimits {
  readonly maxBytes: number;
  /** Length that the sender has declared. */
  readonly declared?: number | undefined;
  /** Memory of which larger buffers are reserved. Absent: none is. */
  readonly memory?: ReplyBytes | undefined;
}

/**
 * Collects bytes up to a limit. Copies chunks into one growing buffer, because a list of chunks could cost a hundred times
 * the size of a reply that arrives byte by byte.
 */
export class ByteSink {
  readonly #limits: ByteSinkLimits;
  #buffer: Buffer;
  #length = 0;

  /** Throws the Problem of the memory if it has no room for the declared length: nothing is read then. */
  constructor(limits: ByteSinkLimits) {
    this.#limits = limits;
    const { maxBytes, declared = DEFAULT_BUFFER_BYTES, memory } = limits;
    if (declared > SMALL_BODY_BYTES) memory?.resize(Math.min(maxBytes, declared));
    this.#buffer = Buffer.allocUnsafe(Math.min(maxBytes, declared, SMALL_BODY_BYTES));
  }

  /**
   * Appends a chunk; returns false and appends nothing if the limit would be exceeded. Throws the Problem of the memory if it has no
   * room.
   */
  append(chunk: Uint8Array): boolean {
    const needed = this.#length + chunk.length;
    if (needed > this.#limits.maxBytes) return false;
    if (needed > this.#buffer.length) this.#grow(needed);
    this.#buffer.set(chunk, this.#length);
    this.#length = needed;
    return true;
  }

  bytes(): Buffer {
    return this.#length === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const { maxBytes, declared = 0, memory } = this.#limits;
    const former = this.#buffer;
    const isDeclared = needed <= declared;
    const size = Math.min(maxBytes, isDeclared ? declared : Math.max(needed, 2 * former.length));
    // Both buffers exist while one is copied. What is declared has been reserved.
    if (!isDeclared && size > SMALL_BODY_BYTES) memory?.resize(former.length + size);
    const next = Buffer.allocUnsafe(size);
    former.copy(next, 0, 0, this.#length);
    this.#buffer = next;
    if (!isDeclared && size > SMALL_BODY_BYTES) memory?.resize(size);
  }
}
