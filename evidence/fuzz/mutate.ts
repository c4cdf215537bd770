import type { Random } from '../../test/support/random.js';

/** Sources of the mutations. */
interface Material {
  /** Inputs to change; the list may grow during the run. */
  readonly corpus: readonly Buffer[];
  /** Pieces of the language. */
  readonly tokens: readonly string[];
  readonly random: Random;
}

/** Longest input that is made, in bytes. */
export const LONGEST = 4_096;

const ODD_BYTES = [
  0, 1, 9, 10, 13, 0x20, 0x22, 0x25, 0x27, 0x2e, 0x2f, 0x30, 0x3b, 0x5c, 0x7f, 0x80, 0xc0, 0xff,
];
const NOTHING = Buffer.alloc(0);

/** Creates inputs in one buffer, each from an input of a corpus with one to five changes. */
export class Mutator {
  readonly #corpus: readonly Buffer[];
  readonly #tokens: readonly Buffer[];
  readonly #random: Random;
  readonly #room = Buffer.alloc(LONGEST);
  #length = 0;

  constructor({ corpus, tokens, random }: Material) {
    this.#corpus = corpus;
    this.#tokens = tokens.map((token) => Buffer.from(token));
    this.#random = random;
  }

  /** Returns the next input; the following call overwrites its bytes. */
  next(): Buffer {
    this.#length = 0;
    this.#insert(0, this.#random.pick(this.#corpus) ?? NOTHING);
    for (let left = 1 + this.#below(5); left > 0; left -= 1) this.#change();
    return this.#room.subarray(0, this.#length);
  }

  #change(): void {
    const at = this.#below(this.#length + 1);
    switch (this.#below(8)) {
      case 0:
        this.#put(at, (this.#room[at] ?? 0) ^ (1 << this.#below(8)));
        break;
      case 1:
        this.#put(at, this.#below(256));
        break;
      case 2:
        this.#open(at, 1);
        this.#put(at, this.#below(256));
        break;
      case 3:
        this.#open(at, this.#below(2));
        this.#put(at, this.#random.pick(ODD_BYTES) ?? 0);
        break;
      case 4:
        this.#cut(at, 1 + this.#below(8));
        break;
      case 5:
        // The opened gap still holds its old bytes, so that they are now duplicated.
        this.#open(at, Math.min(1 + this.#below(32), this.#length - at));
        break;
      case 6:
        this.#cut(at, this.#below(3));
        this.#insert(at, this.#random.pick(this.#tokens) ?? NOTHING);
        break;
      default:
        this.#goOnAs(at, this.#random.pick(this.#corpus) ?? NOTHING);
    }
  }

  #goOnAs(at: number, other: Buffer): void {
    this.#length = at;
    this.#insert(at, other.subarray(this.#below(other.length + 1)));
  }

  #insert(at: number, bytes: Buffer): void {
    const fits = this.#open(at, bytes.length);
    bytes.copy(this.#room, at, 0, fits);
  }

  #put(at: number, byte: number): void {
    if (at === this.#length) this.#open(at, 1);
    this.#room[at] = byte;
  }

  #cut(at: number, count: number): void {
    const end = Math.min(at + count, this.#length);
    this.#room.copyWithin(at, end, this.#length);
    this.#length -= end - at;
  }

  /** Opens a gap of up to `count` bytes and returns its size; bytes beyond the maximum length are dropped. */
  #open(at: number, count: number): number {
    const fits = Math.min(count, LONGEST - at);
    this.#room.copyWithin(at + fits, at, Math.min(this.#length, LONGEST - fits));
    this.#length = Math.min(this.#length + fits, LONGEST);
    return fits;
  }

  #below(bound: number): number {
    return Math.floor(this.#random.next() * bound);
  }
}
