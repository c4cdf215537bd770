/** Bytes that break the framing of NETCONF, or a message that exceeds the limit. */
export class InvalidFrame extends Error {
  override readonly name = 'InvalidFrame';
  /** True if the message exceeds the limit. */
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

const END_OF_MESSAGE = Buffer.from(']]>]]>');
/** Maximum size of a chunk (RFC 6242 section 4.2). */
const MAX_CHUNK_BYTES = 4_294_967_295;
/** Maximum number of digits of the size of a chunk. */
const MAX_SIZE_DIGITS = 10;
const [LINE_FEED, HASH, DIGIT_0, DIGIT_9] = [0x0a, 0x23, 0x30, 0x39];

/** Header of a chunk, without which its length is 0. */
interface ChunkHeader {
  readonly header: number | 'end' | undefined;
  readonly length: number;
}

/** What arrives in place of a header where a server sends a line end after its hello, which RFC 6242 section 4.2 does not have. */
const HEADERS_AFTER_LINE_END = [Buffer.from('\n\n'), Buffer.from('\r\n\n')];

const NO_HEADER: ChunkHeader = { header: undefined, length: 0 };

const END_HEADER: ChunkHeader = { header: 'end', length: 4 };

/** Reads the header at a position of bytes: `\n#SIZE\n`, or `\n##\n` at the end of the chunks. Throws InvalidFrame. */
function headerAt(bytes: Buffer, from: number): ChunkHeader {
  requireByte(bytes, from, LINE_FEED);
  requireByte(bytes, from + 1, HASH);
  if (bytes[from + 2] !== HASH) return sizeAt(bytes, from);
  requireByte(bytes, from + 3, LINE_FEED);
  return bytes.length < from + 4 ? NO_HEADER : END_HEADER;
}

/** Reads the size in a header. Throws InvalidFrame. */
function sizeAt(bytes: Buffer, from: number): ChunkHeader {
  let size = 0;
  const first = from + 2;
  for (let at = first; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === LINE_FEED && at > first) return { header: size, length: at + 1 - from };
    const isDigit = byte >= DIGIT_0 && byte <= DIGIT_9 && at < first + MAX_SIZE_DIGITS;
    if (!isDigit || (byte === DIGIT_0 && at === first)) throw notAChunk();
    size = size * 10 + byte - DIGIT_0;
    if (size > MAX_CHUNK_BYTES) throw notAChunk();
  }
  return NO_HEADER;
}

/** Throws InvalidFrame if there is another byte at a position; a byte that has not arrived is no fault. */
function requireByte(bytes: Buffer, at: number, expected: number): void {
  const byte = bytes[at];
  if (byte !== undefined && byte !== expected) throw notAChunk();
}

/** Returns the bytes of a message in end-of-message framing (RFC 6242 section 4.3). The text must not contain `]]>]]>`. */
export function endOfMessageFrame(text: string): Buffer {
  return Buffer.concat([Buffer.from(text), END_OF_MESSAGE]);
}

/** Returns the bytes of a message in chunked framing (RFC 6242 section 4.2), as one chunk. The text must not be empty. */
export function chunkedFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`\n#${bytes.length}\n`), bytes, Buffer.from('\n##\n')]);
}

/**
 * Takes the bytes of a session apart into messages: in end-of-message framing, and after `useChunks` in chunked framing. Copies
 * what it keeps, so that many small pieces cost no more memory than one.
 */
export class FrameDecoder {
  readonly #message: Collector;
  /** Bytes that have arrived, and the position of the first one that is not taken: a chunk may have one byte. */
  #input: Buffer = Buffer.alloc(0);
  #at = 0;
  #isChunked = false;
  /** True until the first chunk: a line end may precede it. */
  #isBeforeChunks = false;
  /** Bytes of the current chunk that have not arrived. */
  #missing = 0;

  /** `maxBytes` is the maximum size of a message. */
  constructor(maxBytes: number) {
    this.#message = new Collector(maxBytes);
  }

  /** Changes the maximum size of a message. */
  limitMessages(maxBytes: number): void {
    this.#message.maxBytes = maxBytes;
  }

  /** Memory of the bytes that have arrived and are not taken, in bytes. */
  get heldBytes(): number {
    return this.#input.length - this.#at + this.#message.capacity;
  }

  /** Switches to chunked framing from the first byte after the last message. Skips one line end before the first chunk. */
  useChunks(): void {
    this.#isChunked = true;
    this.#isBeforeChunks = true;
  }

  /** Adds received bytes. The caller then takes all messages with `next`. */
  push(bytes: Buffer): void {
    const isTaken = this.#at === this.#input.length;
    this.#input = isTaken ? bytes : Buffer.concat([this.#input.subarray(this.#at), bytes]);
    this.#at = 0;
  }

  /**
   * Returns the next complete message without white space at its start, or undefined if bytes are missing. Throws InvalidFrame, after
   * which the session cannot be used.
   */
  next(): Buffer | undefined {
    return this.#isChunked ? this.#nextChunked() : this.#nextEndOfMessage();
  }

  #nextEndOfMessage(): Buffer | undefined {
    const end = this.#input.indexOf(END_OF_MESSAGE, this.#at);
    if (end >= 0) {
      this.#collect(end);
      this.#at += END_OF_MESSAGE.length;
      return this.#message.take();
    }
    // The last bytes may be the start of the end.
    this.#collect(Math.max(this.#at, this.#input.length - END_OF_MESSAGE.length + 1));
    return undefined;
  }

  #nextChunked(): Buffer | undefined {
    for (;;) {
      const count = Math.min(this.#missing, this.#input.length - this.#at);
      this.#collect(this.#at + count);
      this.#missing -= count;
      if (this.#missing > 0) return undefined;
      const header = this.#readHeader();
      if (header === undefined) return undefined;
      if (header === 'end') return this.#message.take();
      this.#missing = header;
    }
  }

  /** Returns the size of the next chunk, `end` at the end of the message, or undefined if bytes are missing. */
  #readHeader(): number | 'end' | undefined {
    if (this.#isBeforeChunks && !this.#skipLineEnd()) return undefined;
    const { header, length } = headerAt(this.#input, this.#at);
    this.#at += length;
    if (header === 'end' && this.#message.isEmpty) throw new InvalidFrame('has a message without a chunk');
    return header;
  }

  /** Skips a line end before the first chunk. Returns false if more bytes are needed to decide whether there is one. */
  #skipLineEnd(): boolean {
    for (const expected of HEADERS_AFTER_LINE_END) {
      const start = this.#input.subarray(this.#at, this.#at + expected.length);
      if (!expected.subarray(0, start.length).equals(start)) continue;
      if (start.length < expected.length) return false;
      // The last line feed begins the header.
      this.#at += expected.length - 1;
      break;
    }
    this.#isBeforeChunks = false;
    return true;
  }

  #collect(to: number): void {
    if (to > this.#at) this.#message.add(this.#input, this.#at, to);
    this.#at = to;
  }
}

function notAChunk(): InvalidFrame {
  return new InvalidFrame('has bytes that are no chunk (RFC 6242 section 4.2)');
}

/** Buffer of one message, without white space at its start, that grows up to a maximum. */
class Collector {
  maxBytes: number;
  #bytes = Buffer.alloc(0);
  #length = 0;
  /** Number of bytes of white space that were skipped at the start. */
  #skipped = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  get isEmpty(): boolean {
    return this.#length + this.#skipped === 0;
  }

  /** Adds the bytes between two positions. */
  add(bytes: Buffer, from: number, to: number): void {
    const start = this.#length === 0 ? endOfBlanks(bytes, from, to) : from;
    this.#skipped += start - from;
    const length = this.#length + to - start;
    if (this.#skipped + length > this.maxBytes)
      throw new InvalidFrame(`has a message larger than ${this.maxBytes} bytes`, true);
    if (length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(length, Math.min(2 * this.#bytes.length, this.maxBytes), 4096));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.#length, start, to);
    this.#length = length;
  }

  /** Returns the bytes, and becomes empty. */
  take(): Buffer {
    const message = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    this.#skipped = 0;
    return message;
  }
}

/** Returns the position of the first byte between two positions that is no white space; the last position without one. */
function endOfBlanks(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(bytes[at])) at += 1;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
