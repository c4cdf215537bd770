import { LONGEST } from './mutate.js';

const [COUNT, LENGTH, HEAD] = [0, 1, 2];
const HEAD_BYTES = HEAD * Int32Array.BYTES_PER_ELEMENT;

/**
 * Progress of one thread, which another thread can read even while the first is blocked: the number of
 * started inputs, and the last input.
 */
export class Progress {
  /** Memory that both threads share. */
  readonly memory: SharedArrayBuffer;
  readonly #head: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(memory = new SharedArrayBuffer(HEAD_BYTES + LONGEST)) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, HEAD);
    this.#bytes = new Uint8Array(memory, HEAD_BYTES);
  }

  /** Records an input before it is read. */
  begin(input: Uint8Array): void {
    this.#bytes.set(input.length > LONGEST ? input.subarray(0, LONGEST) : input);
    this.#head[LENGTH] = Math.min(input.length, LONGEST);
    Atomics.add(this.#head, COUNT, 1);
  }

  get begun(): number {
    return Atomics.load(this.#head, COUNT);
  }

  /**
   * Returns a copy of the last started input; it is consistent only while the other thread processes this
   * input.
   */
  input(): Buffer {
    return Buffer.from(this.#bytes.slice(0, this.#head[LENGTH]));
  }
}
