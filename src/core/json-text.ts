const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const [MINUS, PLUS, POINT, ZERO, NINE] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];
const [SPACE, TAB, LINE_FEED, RETURN] = [0x20, 0x09, 0x0a, 0x0d];

/** Characters that may follow a backslash, except `u`. */
const ESCAPES: ReadonlySet<number | undefined> = new Set(Buffer.from('"\\/bfnrt'));
const [TRUE, FALSE, NULL] = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')];

/**
 * Returns true if the bytes are one JSON text (RFC 8259), without decoding them. For valid UTF-8, the result
 * is that of `JSON.parse`. Creates no values, so that it takes a fraction of the time, even for hostile
 * input.
 */
export function isJsonText(bytes: Uint8Array): boolean {
  return new Reader(bytes).isText();
}

/** Returns the same, and whether the text contains only ASCII. Such a text needs no check of its UTF-8. */
export function readJsonText(bytes: Uint8Array): { readonly isText: boolean; readonly isAscii: boolean } {
  const reader = new Reader(bytes);
  return { isText: reader.isText(), isAscii: reader.isAscii() };
}

/**
 * Reads bytes from front to back. Each `pass` method skips the element in its name, or returns false if the
 * element is missing.
 */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;
  /** Closing bracket of each open object and array, the innermost last. */
  #closers = new Uint8Array(64);
  #depth = 0;
  /** All bits of the bytes in strings; the rest of a JSON text is always ASCII. */
  #bits = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isText(): boolean {
    do {
      if (!this.#passBeginning() || !this.#passEndings()) return false;
    } while (this.#depth > 0);
    return this.#at === this.#bytes.length;
  }

  isAscii(): boolean {
    return this.#bits < 0x80;
  }

  /** Passes a scalar or an empty container, and the openings of all containers that start with it. */
  #passBeginning(): boolean {
    for (;;) {
      this.#passBlanks();
      const sign = this.#bytes[this.#at];
      if (sign !== OPEN_OBJECT && sign !== OPEN_ARRAY) return this.#passScalar(sign);
      this.#at += 1;
      this.#open(sign === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY);
      this.#passBlanks();
      // An empty container is a complete value.
      if (this.#bytes[this.#at] === this.#closer()) return true;
      if (sign === OPEN_OBJECT && !this.#passName()) return false;
    }
  }

  /** Passes the brackets that close after a value, and the comma and the name before the next value. */
  #passEndings(): boolean {
    this.#passBlanks();
    while (this.#depth > 0) {
      const sign = this.#bytes[this.#at];
      if (sign === COMMA) {
        this.#at += 1;
        if (this.#closer() === CLOSE_ARRAY) return true;
        this.#passBlanks();
        return this.#passName();
      }
      if (sign !== this.#closer()) return false;
      this.#at += 1;
      this.#depth -= 1;
      this.#passBlanks();
    }
    return true;
  }

  #open(closer: number): void {
    if (this.#depth === this.#closers.length) {
      const more = new Uint8Array(2 * this.#depth);
      more.set(this.#closers);
      this.#closers = more;
    }
    this.#closers[this.#depth] = closer;
    this.#depth += 1;
  }

  #closer(): number | undefined {
    return this.#closers[this.#depth - 1];
  }

  #passBlanks(): void {
    for (;;) {
      const sign = this.#bytes[this.#at] ?? NINE;
      if (sign > SPACE) return;
      if (sign !== SPACE && sign !== LINE_FEED && sign !== TAB && sign !== RETURN) return;
      this.#at += 1;
    }
  }

  #passName(): boolean {
    if (this.#bytes[this.#at] !== QUOTE || !this.#passString()) return false;
    this.#passBlanks();
    return this.#pass(COLON);
  }

  #passScalar(sign: number | undefined): boolean {
    if (sign === QUOTE) return this.#passString();
    return sign === MINUS || isDigit(sign) ? this.#passNumber() : this.#passLiteral();
  }

  #passString(): boolean {
    const bytes = this.#bytes;
    let at = this.#at + 1;
    let bits = 0;
    for (;;) {
      const sign = bytes[at];
      // The end of the bytes is also an error.
      if (sign === undefined || sign < SPACE) return false;
      at += 1;
      bits |= sign;
      if (sign === QUOTE) break;
      if (sign !== BACKSLASH) continue;
      const length = escapeLength(bytes, at);
      if (length === 0) return false;
      at += length;
    }
    this.#at = at;
    this.#bits |= bits;
    return true;
  }

  #passNumber(): boolean {
    this.#pass(MINUS);
    if (!this.#pass(ZERO) && !this.#passDigits()) return false;
    if (this.#pass(POINT) && !this.#passDigits()) return false;
    if (!this.#pass(0x65) && !this.#pass(0x45)) return true;
    if (!this.#pass(PLUS)) this.#pass(MINUS);
    return this.#passDigits();
  }

  #passDigits(): boolean {
    let at = this.#at;
    while (isDigit(this.#bytes[at])) at += 1;
    const isPassed = at > this.#at;
    this.#at = at;
    return isPassed;
  }

  #passLiteral(): boolean {
    const sign = this.#bytes[this.#at];
    const literal = sign === TRUE[0] ? TRUE : sign === FALSE[0] ? FALSE : NULL;
    for (let place = 0; place < literal.length; place += 1)
      if (this.#bytes[this.#at + place] !== literal[place]) return false;
    this.#at += literal.length;
    return true;
  }

  #pass(sign: number): boolean {
    if (this.#bytes[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }
}

function isDigit(sign: number | undefined): boolean {
  return sign !== undefined && sign >= ZERO && sign <= NINE;
}

/** Returns the length of an escape after its backslash; 0 if the escape is invalid. */
function escapeLength(bytes: Uint8Array, at: number): number {
  if (ESCAPES.has(bytes[at])) return 1;
  if (bytes[at] !== 0x75) return 0;
  for (let place = at + 1; place <= at + 4; place += 1) if (!isHex(bytes[place])) return 0;
  return 5;
}

function isHex(sign = 0): boolean {
  const small = sign | 0x20;
  return isDigit(sign) || (small >= 0x61 && small <= 0x66);
}
