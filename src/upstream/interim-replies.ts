import { Problem } from '../core/problem.js';

/** Maximum size of all informational responses to one request, in bytes. */
export const MAX_INFORMATIONAL_BYTES = 65_536;

/** Start of an informational response, up to the first character after its status. It completes the start of which a part arrived. */
const EXAMPLE_START = 'HTTP/1.1 102 ';
const INFORMATIONAL_START = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]$/;
const STATUS_AT = 'HTTP/1.1 '.length;

const CR = 0x0d;
const LF = 0x0a;
const DIGIT_ONE = 0x31;
const NOTHING = Buffer.alloc(0);

/**
 * Removes informational responses (RFC 9110 section 15.2) from the bytes of a connection: all but 101, which no request here asks for.
 * The parser of undici ends the connection at a 100 that was not asked for, although a client must be able to skip it. The bytes may
 * be divided anywhere.
 */
export class InterimReplies {
  #state: 'before a reply' | 'in an informational response' | 'in the final reply' = 'in the final reply';
  /** The first bytes of a status line, until they show its status. */
  #start = '';
  #lineLength = 0;
  #count = 0;
  #bytes = 0;

  /** Expects the replies to a request that is sent now. */
  begin(): void {
    this.#state = 'before a reply';
    this.#start = '';
    this.#count = 0;
    this.#bytes = 0;
  }

  /** Returns the bytes without those of informational responses. Throws `upstream_bad_reply` if there are too many of them. */
  remove(bytes: Buffer): Buffer {
    if (this.#state === 'in the final reply') return bytes;
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === 'in an informational response') {
        at = this.#skip(bytes, at);
        continue;
      }
      if (this.#start === '') {
        at = withoutLineEnds(bytes, at);
        if (at === bytes.length) return NOTHING;
      }
      // Most replies have none, and need no copy.
      if (this.#start === '' && at + STATUS_AT < bytes.length && bytes[at + STATUS_AT] !== DIGIT_ONE) {
        this.#state = 'in the final reply';
        return bytes.subarray(at);
      }
      const taken = bytes.toString('latin1', at, at + EXAMPLE_START.length - this.#start.length);
      const isInformational = this.#read(taken);
      at += taken.length;
      if (isInformational === undefined) return NOTHING;
      if (!isInformational) {
        const start = Buffer.from(this.#start, 'latin1');
        this.#state = 'in the final reply';
        return Buffer.concat([start, bytes.subarray(at)]);
      }
      // The last character may be the end of the line.
      at -= 1;
      this.#enter();
    }
    return NOTHING;
  }

  /** Adds to the start of a status line. Returns whether it is that of an informational response; undefined if that is open. */
  #read(text: string): boolean | undefined {
    this.#start += text;
    const { length } = this.#start;
    if (!INFORMATIONAL_START.test(this.#start + EXAMPLE_START.slice(length))) return false;
    return length === EXAMPLE_START.length ? true : undefined;
  }

  #enter(): void {
    this.#state = 'in an informational response';
    this.#lineLength = this.#start.length - 1;
    this.#start = '';
    this.#count += 1;
    const tooMany = tooManyInformational(this.#count);
    if (tooMany) throw tooMany;
  }

  /** Returns the place after the head of an informational response, or after the bytes. */
  #skip(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length) {
      const byte = bytes[at];
      at += 1;
      if (byte === LF && this.#lineLength === 0) {
        this.#state = 'before a reply';
        break;
      }
      if (byte === LF) this.#lineLength = 0;
      else if (byte !== CR) this.#lineLength += 1;
    }
    this.#bytes += at - from;
    if (this.#bytes > MAX_INFORMATIONAL_BYTES)
      throw new Problem(
        'upstream_bad_reply',
        `the target sent more than ${MAX_INFORMATIONAL_BYTES} bytes of informational responses`,
      );
    return at;
  }
}

/** Returns the place after line ends, which may precede a status line (RFC 9112 section 2.2). */
function withoutLineEnds(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] === CR || bytes[at] === LF)) at += 1;
  return at;
}

/** Maximum number of informational responses to one request (RFC 9110 section 15.2). */
const MAX_INFORMATIONAL = 100;

/**
 * Returns the Problem that ends a request with this many informational responses; undefined while they are not too many: a
 * flood of them stops the event loop.
 */
export function tooManyInformational(count: number): Problem | undefined {
  if (count <= MAX_INFORMATIONAL) return undefined;
  return new Problem(
    'upstream_bad_reply',
    `the target sent more than ${MAX_INFORMATIONAL} informational responses`,
  );
}
