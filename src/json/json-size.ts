import { endOfString } from './count-values.js';
import { isJsonTextInSteps } from './json-text.js';
import { type JsonResult, NOT_UTF8, textOf } from './strict-json.js';
import { StrictReader } from './strict-reader.js';

const [QUOTE, COMMA, COLON, SPACE] = [0x22, 0x2c, 0x3a, 0x20];
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
  /** The named member; undefined if the text has none with a name without escapes, or is malformed. */
  readonly member: MemberSize | undefined;
}

/**
 * Counts the values of a JSON text without making any. The text may be malformed; its count is then that of the values that a
 * parser would make before it finds the fault, or higher. `member` names a member of the outermost object.
 */
export function sizeOfJson(bytes: Uint8Array, member?: string): JsonSize {
  return new SizeReader(bytes, member).read();
}

class SizeReader {
  readonly #bytes: Uint8Array;
  /** The name of the wanted member as it is written. */
  readonly #wanted: Buffer | undefined;
  #values = 1;
  #depth = 0;
  #at = 0;
  /** True after an opening bracket or brace, until something other than a blank follows. */
  #isFirst = false;
  /** Where the last string of the outermost object is. */
  #name = { start: 0, end: 0 };
  /** The wanted member while the reader is in it. */
  #open: { readonly start: number; readonly before: number } | undefined;
  #found: MemberSize | undefined;

  constructor(bytes: Uint8Array, member: string | undefined) {
    this.#bytes = bytes;
    this.#wanted = member === undefined ? undefined : Buffer.from(`"${member}"`);
  }

  read(): JsonSize {
    for (; this.#at < this.#bytes.length; this.#at += 1) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte > SPACE) this.#take(byte);
    }
    return { values: this.#values, member: this.#found };
  }

  #take(byte: number): void {
    if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      this.#endMember();
      this.#depth -= 1;
      this.#isFirst = false;
      return;
    }
    if (this.#isFirst) this.#values += 1;
    this.#isFirst = byte === OPEN_OBJECT || byte === OPEN_ARRAY;
    if (this.#isFirst) this.#depth += 1;
    else if (byte === COMMA) {
      this.#endMember();
      this.#values += 1;
    } else if (byte === QUOTE) this.#passString();
    else if (byte === COLON) this.#beginMember();
  }

  #passString(): void {
    const start = this.#at;
    this.#at = endOfString(this.#bytes, start + 1);
    if (this.#wanted && this.#depth === 1) this.#name = { start, end: this.#at + 1 };
  }

  #beginMember(): void {
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
