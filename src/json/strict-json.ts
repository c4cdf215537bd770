import { isAscii } from 'node:buffer';
import { countMembers, endOfInteger, MAX_EXACT_DIGITS, PlainScan } from './plain-json.js';
import { pointerTo } from './pointer.js';

/** Maximum nesting of a document. Deeper documents could overflow the stack of recursive code. */
export const JSON_DEPTH = 64;

/** Reason why a text is rejected as JSON. */
interface JsonFault {
  readonly pointer: string;
  readonly message: string;
}

/** The parsed value, with the text of one member if it was asked for; or the first fault. */
export type JsonResult =
  | { readonly value: unknown; readonly memberText?: string | undefined }
  | { readonly fault: JsonFault };

const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses bytes as JSON (RFC 8259). Rejects input that parsers treat differently: invalid UTF-8, a byte order
 * mark, duplicate member names, and half a surrogate pair (RFC 7493 section 2.1). Also rejects nesting beyond
 * {@link JSON_DEPTH}, and numbers that would lose digits. `member` asks for the text of a member of the outermost object as it
 * was written.
 *
 * @example
 * ```ts
 * const result = parseJson(reply.body);
 * if ('fault' in result) throw new Problem('upstream_bad_reply', result.fault.message);
 * return result.value;
 * ```
 */
export function parseJson(bytes: Uint8Array, member?: string): JsonResult {
  let text: string;
  try {
    text = decode(bytes);
  } catch {
    return { fault: { pointer: '', message: 'is not valid UTF-8' } };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: { pointer: '', message: syntaxMessage(text, error) } };
  }
  const plain = scanPlain(text, value, member);
  if (plain) return resultOf(value, member, plain);
  const reader = new StrictReader(text, member);
  const fault = reader.run();
  return fault ? { fault } : resultOf(value, member, reader);
}

/** The text of the wanted member. */
type MemberText = Pick<PlainScan, 'memberText'>;

function resultOf(value: unknown, member: string | undefined, { memberText }: MemberText): JsonResult {
  return member === undefined ? { value } : { value, memberText };
}

/** Returns the text of the wanted member of a plain text without a fault; undefined if a `StrictReader` must read the text. */
function scanPlain(text: string, value: unknown, member: string | undefined): MemberText | undefined {
  if (text.includes('\\')) return undefined;
  const scan = new PlainScan(text, JSON_DEPTH, member);
  // An object with a name twice has fewer members than its text has names.
  return scan.run() && scan.names === countMembers(value) ? scan : undefined;
}

/** Decodes UTF-8. Throws a TypeError for invalid bytes. */
function decode(bytes: Uint8Array): string {
  return Buffer.isBuffer(bytes) && isAscii(bytes) ? bytes.toString('latin1') : utf8Decoder.decode(bytes);
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

/** Maximum number of names that are compared one by one. */
const MAX_LISTED_NAMES = 8;

/** The names of an object. Most objects have few, for which a list costs less than a set. */
class SeenNames {
  readonly #list: string[] = [];
  #set: Set<string> | undefined;

  /** Adds a name; returns false if the object has it already. */
  add(name: string): boolean {
    if (this.#set) {
      if (this.#set.has(name)) return false;
      this.#set.add(name);
      return true;
    }
    if (this.#list.includes(name)) return false;
    this.#list.push(name);
    if (this.#list.length > MAX_LISTED_NAMES) this.#set = new Set(this.#list);
    return true;
  }
}

/** An object or array around the current position. */
interface ContainerLevel {
  /** Names seen so far; `undefined` inside an array. */
  readonly names: SeenNames | undefined;
  /** Name or index of the current member. */
  key: string | number;
  /** True if the next string is a name. */
  isAtName: boolean;
}

const [QUOTE, COMMA, MINUS, ZERO, NINE, BACKSLASH] = [0x22, 0x2c, 0x2d, 0x30, 0x39, 0x5c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Checks a text that is already known to be well-formed, and finds the place of a fault. `parseJson` uses it for texts that are
 * not plain.
 */
export class StrictReader {
  readonly #text: string;
  readonly #hasEscapes: boolean;
  readonly #levels: ContainerLevel[] = [];
  /** True if the text may contain surrogates. Only escapes can produce surrogates, because UTF-8 has none. */
  readonly #hasSurrogates: boolean;
  #at = 0;
  readonly #member: string | undefined;
  /** Start of the value of the wanted member while the reader is in it. */
  #memberFrom: number | undefined;
  /** Text of the wanted member; undefined until its end, and if there is no such member. */
  memberText: string | undefined;

  constructor(text: string, member: string | undefined) {
    this.#text = text;
    this.#member = member;
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

  #step(charCode: number): JsonFault | undefined {
    if (charCode === QUOTE) return this.#passString();
    if (charCode === MINUS || (charCode >= ZERO && charCode <= NINE)) return this.#passNumber();
    this.#at += 1;
    if (charCode === OPEN_OBJECT) return this.#open(new SeenNames());
    if (charCode === OPEN_ARRAY) return this.#open(undefined);
    if (charCode === CLOSE_OBJECT || charCode === CLOSE_ARRAY) this.#close();
    else if (charCode === COMMA) this.#next();
    return undefined;
  }

  #open(names: ContainerLevel['names']): JsonFault | undefined {
    if (this.#levels.length === JSON_DEPTH)
      return { pointer: this.#pointer(), message: `is nested deeper than ${JSON_DEPTH} levels` };
    this.#levels.push({ names, key: 0, isAtName: names !== undefined });
    return undefined;
  }

  #close(): void {
    if (this.#levels.length === 1) this.#endMember();
    this.#levels.pop();
  }

  /** Ends the wanted member at the comma or the brace that was read last. */
  #endMember(): void {
    if (this.#memberFrom === undefined) return;
    this.memberText = this.#text.slice(this.#memberFrom, this.#at - 1).trim();
    this.#memberFrom = undefined;
  }

  #next(): void {
    if (this.#levels.length === 1) this.#endMember();
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
    if (level.names?.add(level.key) === false)
      return { pointer: this.#pointer(), message: 'occurs twice in its object' };
    if (level.key === this.#member && this.#levels.length === 1)
      this.#memberFrom = this.#text.indexOf(':', this.#at) + 1;
    return undefined;
  }

  #endOfString(from: number): number {
    if (!this.#hasEscapes) return this.#text.indexOf('"', from);
    let at = from;
    for (;;) {
      const charCode = this.#text.charCodeAt(at);
      if (charCode === QUOTE) return at;
      at += charCode === BACKSLASH ? 2 : 1;
    }
  }

  #passNumber(): JsonFault | undefined {
    const end = endOfInteger(this.#text, this.#at);
    if (end > 0) {
      this.#at = end;
      return undefined;
    }
    NUMBER_TOKEN.lastIndex = this.#at;
    const [written = ''] = NUMBER_TOKEN.exec(this.#text) ?? [];
    this.#at += written.length;
    return losesDigits(written) ? { pointer: this.#pointer(), message: LOSSY_MESSAGE } : undefined;
  }

  #pointer(): string {
    return this.#levels.reduce((pointer, { key }) => pointerTo(pointer, key), '');
  }
}

/** Decodes the escapes of a string without its quotes. */
function unescaped(written: string): string {
  return written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
}

const NUMBER_TOKEN = /-?\d[\d.eE+-]*/y;
const LOSSY_MESSAGE = 'is a number with more digits than can be kept; send it as a string';

/** Maximum length of a number. The check of its digits takes time quadratic in the length. */
const MAX_NUMBER_LENGTH = 400;

/** Smallest normal double. Smaller doubles have fewer digits. */
const SMALLEST_EXACT = 2.2250738585072014e-308;

/**
 * Returns true if a double cannot represent all digits of a number. A double always represents 15 decimal
 * digits, and sometimes 16 or 17.
 */
function losesDigits(written: string): boolean {
  if (written.length > MAX_NUMBER_LENGTH) return true;
  const value = Number(written);
  if (!Number.isFinite(value)) return true;
  const digits = significantDigits(written);
  const isExact = digits.length <= MAX_EXACT_DIGITS && Math.abs(value) >= SMALLEST_EXACT;
  return !isExact && digits !== significantDigits(String(value));
}

function significantDigits(number: string): string {
  const [mantissa = ''] = number.split(/e/i);
  return mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
}
