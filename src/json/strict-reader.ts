import { endOfInteger, MAX_EXACT_DIGITS } from './plain-json.js';
import { pointerTo } from './pointer.js';

/** Maximum nesting of a document. Deeper documents could overflow the stack of recursive code. */
export const JSON_DEPTH = 64;

/** Reason why a text is rejected as JSON. */
export interface JsonFault {
  readonly pointer: string;
  readonly message: string;
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
  /** Names seen so far; `undefined` inside an array, and after the end of an object. */
  names: SeenNames | undefined;
  /** Name or index of the current member. */
  key: string | number;
  isAtName: boolean;
  /** The container around it, and its name or index there; absent for the outermost one. */
  readonly outer?: { readonly level: ContainerLevel; readonly key: string | number } | undefined;
  /** The object or array itself, once it is known. */
  value?: Record<string | number, unknown>;
}

/** What a `StrictReader` does beside its checks. */
export interface ReaderTerms {
  /** Name of a member of the outermost object whose text is wanted, and whose numbers may lose digits in the value. */
  readonly member?: string | undefined;
  /** True keeps whole numbers that would lose digits. */
  readonly keepsIntegers?: true;
  /** True permits other numbers to lose digits, and half a surrogate pair. */
  readonly permitsLoss?: true;
  /** Maximum nesting; default {@link JSON_DEPTH}. */
  readonly maxDepth?: number;
}

/** A whole number that a double does not keep, and where it is: a list of all names that lead to it would grow with the nesting. */
interface LongInteger {
  readonly level: ContainerLevel | undefined;
  readonly key: string | number;
  readonly integer: bigint;
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
  readonly #terms: ReaderTerms;
  readonly #longIntegers: LongInteger[] = [];
  /** Start of the value of the wanted member while the reader is in it. */
  #memberFrom: number | undefined;
  /** Text of the wanted member; undefined until its end, and if there is no such member. */
  memberText: string | undefined;

  constructor(text: string, terms: ReaderTerms) {
    this.#text = text;
    this.#terms = terms;
    this.#hasEscapes = text.includes('\\');
    this.#hasSurrogates = this.#hasEscapes && /\\u[dD][89a-fA-F]/.test(text);
  }

  /** Returns the first fault. */
  run(): JsonFault | undefined {
    const fault = this.read(Infinity);
    return fault === 'more' ? undefined : fault;
  }

  /** Reads a number of tokens and blanks. Returns the first fault, or `more` unless the text has ended; the next call continues there. */
  read(steps: number): JsonFault | 'more' | undefined {
    for (let left = steps; this.#at < this.#text.length; left -= 1) {
      if (left === 0) return 'more';
      const fault = this.#step(this.#text.charCodeAt(this.#at));
      if (fault) return fault;
    }
    return undefined;
  }

  /** Puts the whole numbers that a double does not keep into the value of the text, and returns the value. */
  withLongIntegers(value: unknown): unknown {
    let whole = value;
    for (const { level, key, integer } of this.#longIntegers) {
      if (level) containerOf(level, value)[key] = integer;
      else whole = integer;
    }
    return whole;
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
    const { maxDepth = JSON_DEPTH } = this.#terms;
    if (this.#levels.length === maxDepth)
      return { pointer: this.#pointer(), message: `is nested deeper than ${maxDepth} levels` };
    const level = this.#levels.at(-1);
    const outer = level && { level, key: level.key };
    this.#levels.push({ names, key: 0, isAtName: names !== undefined, outer });
    return undefined;
  }

  #close(): void {
    if (this.#levels.length === 1) this.#endMember();
    const level = this.#levels.pop();
    if (level) level.names = undefined;
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
    if (
      this.#hasSurrogates &&
      !this.#terms.permitsLoss &&
      /\p{Surrogate}/u.test(unescaped(this.#text.slice(from, end)))
    )
      return { pointer: this.#pointer(), message: 'has half a surrogate pair, which is no character' };
    if (!level?.isAtName) return undefined;
    level.isAtName = false;
    level.key = unescaped(this.#text.slice(from, end));
    if (level.names?.add(level.key) === false)
      return { pointer: this.#pointer(), message: 'occurs twice in its object' };
    if (level.key === this.#terms.member && this.#levels.length === 1)
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
    if (this.#memberFrom !== undefined || !losesDigits(written)) return undefined;
    return this.#keepInteger(written) || this.#terms.permitsLoss
      ? undefined
      : { pointer: this.#pointer(), message: LOSSY_MESSAGE };
  }

  #keepInteger(written: string): boolean {
    const { keepsIntegers = false } = this.#terms;
    if (!keepsIntegers || written.length > MAX_NUMBER_LENGTH || !INTEGER.test(written)) return false;
    const level = this.#levels.at(-1);
    this.#longIntegers.push({ level, key: level?.key ?? 0, integer: BigInt(written) });
    return true;
  }

  #pointer(): string {
    return this.#levels.reduce((pointer, { key }) => pointerTo(pointer, key), '');
  }
}

/** Returns the object or array of a level in the value of the whole text, and keeps it with the level. */
function containerOf(level: ContainerLevel, whole: unknown): Record<string | number, unknown> {
  const unknown: ContainerLevel[] = [];
  for (let at: ContainerLevel | undefined = level; at && !at.value; at = at.outer?.level) unknown.push(at);
  for (const at of unknown.reverse()) {
    const { outer } = at;
    at.value = (outer ? outer.level.value?.[outer.key] : whole) as Record<string | number, unknown>;
  }
  return level.value ?? {};
}

/** Decodes the escapes of a string without its quotes. */
function unescaped(written: string): string {
  return written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
}

const INTEGER = /^-?\d+$/;
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
