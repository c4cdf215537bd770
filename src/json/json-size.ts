import { isJsonTextInSteps } from './json-text.js';
import { type JsonResult, NOT_UTF8, textOf } from './strict-json.js';
import { StrictReader } from './strict-reader.js';

const [QUOTE, COMMA, COLON, BACKSLASH, SPACE] = [0x22, 0x2c, 0x3a, 0x5c, 0x20];
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
  const wanted = member === undefined ? undefined : Buffer.from(`"${member}"`);
  let [values, depth, at] = [1, 0, 0];
  // True after an opening bracket or brace, until something other than a blank follows.
  let isFirst = false;
  let name = { start: 0, end: 0 };
  let open: { readonly start: number; readonly before: number } | undefined;
  let found: MemberSize | undefined;
  const endMember = (): void => {
    if (depth !== 1 || !open) return;
    found ??= { start: open.start, end: at, values: values - open.before };
    open = undefined;
  };
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte <= SPACE) continue;
    if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      endMember();
      depth -= 1;
      isFirst = false;
      continue;
    }
    if (isFirst) values += 1;
    isFirst = byte === OPEN_OBJECT || byte === OPEN_ARRAY;
    if (isFirst) depth += 1;
    else if (byte === COMMA) {
      endMember();
      values += 1;
    } else if (byte === QUOTE) {
      const start = at;
      at = endOfString(bytes, at);
      if (wanted && depth === 1) name = { start, end: at + 1 };
    } else if (byte === COLON && depth === 1 && wanted && isSame(bytes, name, wanted))
      open = { start: at + 1, before: values - 1 };
  }
  return { values, member: found };
}

/** Returns the index of the quote that ends the string at `start`; the last index if nothing ends it. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at += 1;
  }
  return bytes.length;
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
