import { isAscii } from 'node:buffer';
import { countMembers, PlainScan } from './plain-json.js';
import { JSON_DEPTH, type JsonFault, type ReaderTerms, StrictReader } from './strict-reader.js';

/** The parsed value, with the text of one member if it was asked for; or the first fault. */
export type JsonResult =
  | { readonly value: unknown; readonly memberText?: string | undefined }
  | { readonly fault: JsonFault };

const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses bytes as JSON (RFC 8259). Rejects input that parsers treat differently: invalid UTF-8, a byte order
 * mark, duplicate member names, and half a surrogate pair (RFC 7493 section 2.1). Also rejects nesting beyond
 * {@link JSON_DEPTH}, and numbers that would lose digits. `member` asks for the text of a member of the outermost object as it
 * was written; the digits of its numbers are not judged.
 *
 * @example
 * ```ts
 * const result = parseJson(reply.body);
 * if ('fault' in result) throw new Problem('upstream_bad_reply', result.fault.message);
 * return result.value;
 * ```
 */
export function parseJson(bytes: Uint8Array, member?: string): JsonResult {
  return parse(bytes, { member });
}

/** Parses bytes like {@link parseJson}; a whole number that would lose digits becomes a `bigint`, which `jsonText` writes. */
export function parseExactJson(bytes: Uint8Array): JsonResult {
  return parse(bytes, { keepsIntegers: true });
}

/**
 * Parses JSON without the checks of {@link parseJson}. A whole number of at most 400 digits that would lose some becomes a `bigint`,
 * unless an object has a name twice.
 */
export function readStoredJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!LONG_NUMBER.test(text)) return value;
  const reader = new StrictReader(text, { keepsIntegers: true, permitsLoss: true, maxDepth: Infinity });
  return reader.run() ? value : reader.withLongIntegers(value);
}

const LONG_NUMBER = /\d{16}/;

function parse(bytes: Uint8Array, terms: ReaderTerms): JsonResult {
  const { member } = terms;
  const text = textOf(bytes);
  if (text === undefined) return { fault: NOT_UTF8 };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: { pointer: '', message: syntaxMessage(text, error) } };
  }
  const plain = scanPlain(text, value, member);
  if (plain) return resultOf(value, member, plain);
  const reader = new StrictReader(text, terms);
  const fault = reader.run();
  return fault ? { fault } : resultOf(reader.withLongIntegers(value), member, reader);
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

/** The fault of bytes that no text has. */
export const NOT_UTF8: JsonFault = { pointer: '', message: 'is not valid UTF-8' };

/** Decodes UTF-8; undefined for invalid bytes. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return Buffer.isBuffer(bytes) && isAscii(bytes) ? bytes.toString('latin1') : utf8Decoder.decode(bytes);
  } catch {
    return undefined;
  }
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
