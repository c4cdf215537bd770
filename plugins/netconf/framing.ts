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

/** Reads the header at the start of bytes: `\n#SIZE\n`, or `\n##\n` at the end of the chunks. Throws InvalidFrame. */
function headerAt(bytes: Buffer): ChunkHeader {
  requireByte(bytes, 0, LINE_FEED);
  requireByte(bytes, 1, HASH);
  if (bytes[2] !== HASH) return sizeAt(bytes);
  requireByte(bytes, 3, LINE_FEED);
  return bytes.length < 4 ? NO_HEADER : { header: 'end', length: 4 };
}

/** Reads the size in a header. Throws InvalidFrame. */
function sizeAt(bytes: Buffer): ChunkHeader {
  let size = 0;
  for (let at = 2; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === LINE_FEED && at > 2) return { header: size, length: at + 1 };
    const isDigit = byte >= DIGIT_0 && byte <= DIGIT_9 && at < 2 + MAX_SIZE_DIGITS;
    if (!isDigit || (byte === DIGIT_0 && at === 2)) throw notAChunk();
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
  #input: Buffer = Buffer.alloc(0);
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
    return this.#input.length + this.#message.capacity;
  }

  /** Switches to chunked framing from the first byte after the last message. Skips one line end before the first chunk. */
  useChunks(): void {
    this.#isChunked = true;
    this.#isBeforeChunks = true;
  }

  /** Adds received bytes. The caller then takes all messages with `next`. */
  push(bytes: Buffer): void {
    this.#input = this.#input.length === 0 ? bytes : Buffer.concat([this.#input, bytes]);
  }

  /**
   * Returns the next complete message without white space at its start, or undefined if bytes are missing. Throws InvalidFrame, after
   * which the session cannot be used.
   */
  next(): Buffer | undefined {
    return this.#isChunked ? this.#nextChunked() : this.#nextEndOfMessage();
  }

  #nextEndOfMessage(): Buffer | undefined {
    const end = this.#input.indexOf(END_OF_MESSAGE);
    if (end >= 0) {
      this.#collect(end);
      this.#input = this.#input.subarray(END_OF_MESSAGE.length);
      return this.#message.take();
    }
    // The last bytes may be the start of the end.
    this.#collect(Math.max(0, this.#input.length - END_OF_MESSAGE.length + 1));
    return undefined;
  }

  #nextChunked(): Buffer | undefined {
    for (;;) {
      const count = Math.min(this.#missing, this.#input.length);
      this.#collect(count);
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
    const { header, length } = headerAt(this.#input);
    this.#input = this.#input.subarray(length);
    if (header === 'end' && this.#message.isEmpty) throw new InvalidFrame('has a message without a chunk');
    return header;
  }

  /** Skips a line end before the first chunk. Returns false if more bytes are needed to decide whether there is one. */
  #skipLineEnd(): boolean {
    const input = this.#input;
    for (const expected of HEADERS_AFTER_LINE_END) {
      const start = input.subarray(0, expected.length);
      if (!expected.subarray(0, start.length).equals(start)) continue;
      if (start.length < expected.length) return false;
      // The last line feed begins the header.
      this.#input = input.subarray(expected.length - 1);
      break;
    }
    this.#isBeforeChunks = false;
    return true;
  }

  #collect(count: number): void {
    if (count === 0) return;
    this.#message.add(this.#input.subarray(0, count));
    this.#input = this.#input.subarray(count);
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

  add(added: Buffer): void {
    const start = this.#length === 0 ? endOfBlanks(added) : 0;
    this.#skipped += start;
    const bytes = added.subarray(start);
    const length = this.#length + bytes.length;
    if (this.#skipped + length > this.maxBytes)
      throw new InvalidFrame(`has a message larger than ${this.maxBytes} bytes`, true);
    if (length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(length, Math.min(2 * this.#bytes.length, this.maxBytes), 4096));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.#length);
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

/** Returns the number of bytes of white space at the start. */
function endOfBlanks(bytes: Buffer): number {
  let at = 0;
  for (
    let byte = bytes[0];
    byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
    byte = bytes[at]
  )
    at += 1;
  return at;
}
