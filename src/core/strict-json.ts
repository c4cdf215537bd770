import { pointerTo } from './pointer.js';

/** Maximum nesting of a document. Deeper documents overflow the stack of recursive code. */
export const JSON_DEPTH = 64;

/** Reason why a text is refused as JSON. */
export interface JsonFault {
  readonly pointer: string;
  readonly message: string;
}

export type JsonResult = { readonly value: unknown } | { readonly fault: JsonFault };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses bytes as JSON (RFC 8259) and refuses input that parsers treat differently: invalid UTF-8, a byte
 * order mark, a duplicate member name in an object, nesting beyond {@link JSON_DEPTH}, numbers that would
 * lose digits, and half a surrogate pair (RFC 7493 section 2.1).
 */
export function parseJson(bytes: Uint8Array): JsonResult {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { fault: { pointer: '', message: 'is not valid UTF-8' } };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: { pointer: '', message: syntaxMessage(text, error) } };
  }
  const fault = new Walk(text).run();
  return fault ? { fault } : { value };
}

/**
 * Returns a message with only the position of the error, if V8 reports one. V8's message quotes the text
 * around the error, which may be a password.
 */
function syntaxMessage(text: string, error: unknown): string {
  if (text.trim() === '') return 'is empty';
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position === undefined) return 'is not well-formed JSON';
  const before = text.slice(0, Number(position)).split('\n');
  return `is not well-formed JSON at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

/** An object or array that contains the current position. */
interface Level {
  /** Names seen so far; `undefined` inside an array. */
  readonly names: Set<string> | undefined;
  /** Name or index of the current member. */
  key: string | number;
  /** True if the next string is a name. */
  isAtName: boolean;
}

const [QUOTE, COMMA, MINUS, ZERO, NINE, BACKSLASH] = [0x22, 0x2c, 0x2d, 0x30, 0x39, 0x5c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Walks over a text that is known to be well-formed. Every request passes through here, so the walk compares
 * character codes: a regular expression for the tokens takes three times as long.
 */
class Walk {
  readonly #text: string;
  readonly #hasEscapes: boolean;
  readonly #levels: Level[] = [];
  /** False for nearly every text: UTF-8 has no surrogates, so that only an escape can produce one. */
  readonly #hasSurrogates: boolean;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#hasEscapes = text.includes('\\');
    this.#hasSurrogates = this.#hasEscapes && /\\u[dD][89a-fA-F]/.test(text);
  }

  /** Returns the first fault. */
  run(): JsonFault | undefined {
    while (this.#at < this.#text.length) {
      const fault = this.#step(this.#text.charCodeAt(this.#at));
      if (fault) return fault;
    }
    return undefined;
  }

  #step(sign: number): JsonFault | undefined {
    if (sign === QUOTE) return this.#passString();
    if (sign === MINUS || (sign >= ZERO && sign <= NINE)) return this.#passNumber();
    this.#at += 1;
    if (sign === OPEN_OBJECT) return this.#open(new Set());
    if (sign === OPEN_ARRAY) return this.#open(undefined);
    if (sign === CLOSE_OBJECT || sign === CLOSE_ARRAY) this.#levels.pop();
    else if (sign === COMMA) this.#next();
    return undefined;
  }

  #open(names: Level['names']): JsonFault | undefined {
    if (this.#levels.length === JSON_DEPTH)
      return { pointer: this.#pointer(), message: `is nested deeper than ${JSON_DEPTH} levels` };
    this.#levels.push({ names, key: 0, isAtName: names !== undefined });
    return undefined;
  }

  #next(): void {
    const level = this.#levels.at(-1);
    if (level?.names) level.isAtName = true;
    else if (level) level.key = Number(level.key) + 1;
  }

  #passString(): JsonFault | undefined {
    const from = this.#at + 1;
    const end = this.#endOfString(from);
    this.#at = end + 1;
    const level = this.#levels.at(-1);
    if (this.#hasSurrogates && /\p{Surrogate}/u.test(unescaped(this.#text.slice(from, end))))
      return { pointer: this.#pointer(), message: 'has half a surrogate pair, which is no character' };
    if (!level?.isAtName) return undefined;
    level.isAtName = false;
    level.key = unescaped(this.#text.slice(from, end));
    if (level.names?.has(level.key))
      return { pointer: this.#pointer(), message: 'stands twice in its object' };
    level.names?.add(level.key);
    return undefined;
  }

  #endOfString(from: number): number {
    if (!this.#hasEscapes) return this.#text.indexOf('"', from);
    let at = from;
    for (;;) {
      const sign = this.#text.charCodeAt(at);
      if (sign === QUOTE) return at;
      at += sign === BACKSLASH ? 2 : 1;
    }
  }

  #passNumber(): JsonFault | undefined {
    NUMBER.lastIndex = this.#at;
    const [written = ''] = NUMBER.exec(this.#text) ?? [];
    this.#at += written.length;
    return lossy(written) ? { pointer: this.#pointer(), message: LOSSY } : undefined;
  }

  #pointer(): string {
    return this.#levels.reduce((pointer, { key }) => pointerTo(pointer, key), '');
  }
}

/** Returns the text between two quotes, without escapes. */
function unescaped(written: string): string {
  return written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
}

const NUMBER = /-?\d[\d.eE+-]*/y;
const LOSSY = 'is a number with more digits than can be kept; send it as a string';

/**
 * Maximum length of a number. The longest double without an exponent has 767 digits; more than a few dozen
 * are noise.
 */
const LONGEST_NUMBER = 400;

/** Smallest normal double. Below it, doubles keep fewer digits, and finally none. */
const SMALLEST_EXACT = 2.2250738585072014e-308;

/**
 * Returns true if a double does not keep all digits. Doubles always keep 15 decimal digits, and sometimes 16
 * or 17.
 */
function lossy(written: string): boolean {
  // No number that can be kept is longer, and the code below takes time quadratic in the length.
  if (written.length > LONGEST_NUMBER) return true;
  const value = Number(written);
  if (!Number.isFinite(value)) return true;
  const digits = significant(written);
  const isExact = digits.length <= 15 && Math.abs(value) >= SMALLEST_EXACT;
  return !isExact && digits !== significant(String(value));
}

function significant(number: string): string {
  const [mantissa = ''] = number.split(/e/i);
  return mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
}
