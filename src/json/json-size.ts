import { isJsonTextInSteps } from './json-text.js';
import { type JsonResult, NOT_UTF8, textOf } from './strict-json.js';
import { StrictReader } from './strict-reader.js';

const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x20];
const [ZERO, NINE] = [0x30, 0x39];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** A member of the outermost object: where the text of its value is, and the number of values in it. */
interface MemberSize {
  readonly start: number;
  readonly end: number;
  readonly values: number;
}

/** What a JSON text contains. */
interface JsonSize {
  /** Number of values: the document, the members of its objects and the elements of its arrays. */
  readonly values: number;
  /** Number of what takes several times as long as other values: see {@link CostlyCount}. */
  readonly costly: number;
  /** The named member; undefined if the text has none with a name without escapes, or is malformed. */
  readonly member: MemberSize | undefined;
}

/** What is counted. */
interface SizeTerms {
  /** Name of a member of the outermost object that is wanted. */
  readonly member?: string | undefined;
  /** Number of values after which nothing more is read. */
  readonly most?: number;
  /** Number of costly values after which nothing more is read; absent: they are not counted. */
  readonly mostCostly?: number;
}

/**
 * Counts the values of a JSON text without making any. The text may be malformed; its count is then that of the values that a
 * parser would make before it finds the fault, or higher.
 */
export function sizeOfJson(bytes: Uint8Array, terms: SizeTerms = {}): JsonSize {
  return new SizeReader(bytes, terms).read();
}

/**
 * Returns true if a JSON text has more than a number of values: the document, members and elements. The time and the memory of `JSON.parse`
 * depend on these more than on the size: check the text of a stranger first. The answer for other bytes has no meaning.
 *
 * @example
 * ```ts
 * if (hasMoreValues(reply.body, 20_000)) throw new Problem('upstream_too_large', 'the reply has too many members');
 * ```
 */
export function hasMoreValues(json: Uint8Array, most: number): boolean {
  // Each value takes a byte.
  return json.length > most && sizeOfJson(json, { most }).values > most;
}

/** Returns the position of the quote that ends a string, or the end of the bytes. */
function endOfString(json: Uint8Array, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

class SizeReader {
  readonly #bytes: Uint8Array;
  readonly #most: number;
  /** The name of the wanted member as it is written. */
  readonly #wanted: Buffer | undefined;
  readonly #costly: CostlyCount | undefined;
  readonly #mostCostly: number;
  #values = 1;
  #depth = 0;
  #at = 0;
  /** True after an opening bracket or brace, until something other than a blank follows. */
  #isFirst = false;
  /** Where the last string is. */
  #name = { start: 0, end: 0 };
  /** The wanted member while the reader is in it. */
  #open: { readonly start: number; readonly before: number } | undefined;
  #found: MemberSize | undefined;

  constructor(bytes: Uint8Array, { member, most = Infinity, mostCostly = Infinity }: SizeTerms) {
    this.#bytes = bytes;
    this.#most = most;
    this.#wanted = member === undefined ? undefined : Buffer.from(`"${member}"`);
    this.#costly = mostCostly === Infinity ? undefined : new CostlyCount();
    this.#mostCostly = mostCostly;
  }

  read(): JsonSize {
    for (; this.#at < this.#bytes.length && !this.#isFull(); this.#at += 1) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte > SPACE) this.#take(byte);
    }
    return { values: this.#values, costly: this.#costly?.count ?? 0, member: this.#found };
  }

  #isFull(): boolean {
    return this.#values > this.#most || (this.#costly?.count ?? 0) > this.#mostCostly;
  }

  #take(byte: number): void {
    if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      this.#endMember();
      this.#depth -= 1;
      this.#costly?.close();
      this.#isFirst = false;
      return;
    }
    if (this.#isFirst) this.#values += 1;
    this.#isFirst = byte === OPEN_OBJECT || byte === OPEN_ARRAY;
    if (this.#isFirst) {
      this.#depth += 1;
      this.#costly?.open();
    } else if (byte === COMMA) {
      this.#endMember();
      this.#values += 1;
    } else if (byte === QUOTE) this.#passString();
    else if (byte === COLON) this.#beginMember();
    else this.#costly?.addDigit(byte, this.#at);
  }

  #passString(): void {
    const start = this.#at;
    this.#at = endOfString(this.#bytes, start + 1);
    this.#name = { start, end: this.#at + 1 };
  }

  #beginMember(): void {
    this.#costly?.add(this.#bytes, this.#name);
    if (this.#depth === 1 && this.#wanted && isSame(this.#bytes, this.#name, this.#wanted))
      this.#open = { start: this.#at + 1, before: this.#values - 1 };
  }

  #endMember(): void {
    if (this.#depth !== 1 || !this.#open) return;
    const { start, before } = this.#open;
    this.#found ??= { start, end: this.#at, values: this.#values - before };
    this.#open = undefined;
  }
}

/** Number of members from which an object is very large: V8 keeps a separate table for it. */
const LARGE_OBJECT = 1_000;

/** Chosen once, so that no text is made for names that seem equal. */
const [SEED, FACTOR] = [(Math.random() * 2 ** 32) | 0, ((Math.random() * 2 ** 31) | 0) * 2 + 1];

/** Number of digits from which a number may need a `bigint`. */
const LONG_NUMBER = 16;

/**
 * Counts what costs an engine several times as much as other values. Objects with the same names in the same order share what the engine
 * notes of them: a member counts if no object before began with the same names. Each further member of a very large object counts,
 * and each number with many digits.
 */
class CostlyCount {
  count = 0;
  #digits = 0;
  #lastDigit = -1;
  readonly #seen = new Set<number>();
  /** The names so far of each open object, as a number, and how many they are. */
  readonly #outer: { readonly names: number; readonly members: number }[] = [];
  #names = SEED;
  #members = 0;

  open(): void {
    this.#outer.push({ names: this.#names, members: this.#members });
    this.#names = SEED;
    this.#members = 0;
  }

  close(): void {
    const { names, members } = this.#outer.pop() ?? { names: SEED, members: 0 };
    this.#names = names;
    this.#members = members;
  }

  /** Adds a byte outside of strings. Only digits count. */
  addDigit(byte: number, at: number): void {
    if (byte < ZERO || byte > NINE) return;
    this.#digits = at === this.#lastDigit + 1 ? this.#digits + 1 : 1;
    this.#lastDigit = at;
    if (this.#digits === LONG_NUMBER) this.count += 1;
  }

  add(bytes: Uint8Array, { start, end }: { readonly start: number; readonly end: number }): void {
    let names = this.#names;
    for (let at = start; at < end; at += 1)
      names = Math.imul(names ^ (bytes[at] ?? 0), FACTOR) ^ (names >>> 15);
    this.#names = names;
    this.#members += 1;
    if (this.#members > LARGE_OBJECT) this.count += 1;
    else if (!this.#seen.has(names)) {
      this.#seen.add(names);
      this.count += 1;
    }
  }
}

function isSame(bytes: Uint8Array, { start, end }: { start: number; end: number }, wanted: Buffer): boolean {
  return end - start === wanted.length && wanted.equals(bytes.subarray(start, end));
}

/** A member of the outermost object: its name, and the offsets of the text of its value. */
interface MemberPlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Number of bytes or tokens that are read before other work may run. */
const STEP = 16_384;

/**
 * Checks bytes as `parseJson` does, and makes no values of one member: the value has an empty object or array in its place, and
 * `memberText` is its text. Calls `pause` at intervals, so that other work can run. The position of malformed text is not reported.
 */
export async function parseJsonAround(
  bytes: Uint8Array,
  { name, start, end }: MemberPlace,
  pause: () => Promise<void>,
): Promise<JsonResult> {
  const text = textOf(bytes);
  if (text === undefined) return { fault: NOT_UTF8 };
  if (!(await isJsonTextInSteps(bytes, STEP, pause)))
    return { fault: { pointer: '', message: 'is not well-formed JSON' } };
  const reader = new StrictReader(text, { member: name });
  for (;;) {
    const fault = reader.read(STEP);
    if (!fault) break;
    if (fault !== 'more') return { fault };
    await pause();
  }
  const { memberText } = reader;
  const parts = [bytes.subarray(0, start), bytes.subarray(end)].map((part) => Buffer.from(part).toString());
  return { value: JSON.parse(parts.join(memberText?.startsWith('[') ? '[]' : '{}')), memberText };
}
