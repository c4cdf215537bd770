import { withoutByteOrderMark } from '../json/byte-order-mark.js';
import { isJsonText, readJsonText } from '../json/json-text.js';
import { parseJson } from '../json/strict-json.js';
import { jsonText } from '../json/write-json.js';
import { headerOf } from './adapter.js';
import { isJson } from './header.js';
import type { HttpReply } from './http.js';
import type { JsonStream, RawJson } from './operation.js';
import { Problem } from './problem.js';

/**
 * Returns the body of a reply: the unchanged bytes, without a byte order mark, if the body is declared as JSON and valid,
 * otherwise its text. Returns `""` for an empty body.
 */
export function jsonOrText(reply: HttpReply): RawJson | string {
  const contentType = headerOf(reply.headers, 'content-type');
  const charset = charsetOf(contentType);
  if (!isJson(contentType)) return textOf(reply.body, charset);
  if (UTF8_NAMES.has(charset)) return utf8JsonOrText(reply.body, charset);
  const text = textOf(reply.body, charset);
  const bytes = withoutByteOrderMark(Buffer.from(text));
  return isJsonText(bytes) ? { rawJson: bytes } : text;
}

/**
 * Returns a JSON text in ASCII without decoding its bytes, because large strings cost much garbage
 * collection. Decodes other bodies, also to check their UTF-8.
 */
function utf8JsonOrText(bytes: Buffer, charset: string): RawJson | string {
  const json = withoutByteOrderMark(bytes);
  const { isText, isAscii } = readJsonText(json);
  if (isText && isAscii) return { rawJson: json };
  const text = textOf(bytes, charset);
  return isText ? { rawJson: json } : text;
}

/** Maximum number of bytes of an upstream error reply that a problem document repeats. */
const MAX_ERROR_BYTES = 65_536;

/**
 * Returns the body of an error reply as a value for a problem document. The value is the parsed JSON if the
 * body is neither too long nor too deep, otherwise the start of the text.
 */
export function upstreamErrorOf(reply: HttpReply): unknown {
  const { headers, body } = reply;
  if (isJson(headerOf(headers, 'content-type')) && body.length <= MAX_ERROR_BYTES) {
    const parsed = parseJson(withoutByteOrderMark(body));
    if ('value' in parsed) return parsed.value;
  }
  return body.subarray(0, MAX_ERROR_BYTES).toString();
}

/** Creates a JSON object from values and JSON bytes, without parsing those bytes. */
export function rawObject(members: Readonly<Record<string, unknown>>): RawJson {
  const parts = Object.entries(members).map(([name, value]) =>
    Buffer.concat([Buffer.from(`${JSON.stringify(name)}:`), bytesOf(value)]),
  );
  const separated = parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from(','), part]));
  return { rawJson: Buffer.concat([Buffer.from('{'), ...separated, Buffer.from('}')]) };
}

/** Returns true for bytes that are already JSON. */
export function isRawJson(value: unknown): value is RawJson {
  return typeof value === 'object' && value !== null && 'rawJson' in value && Buffer.isBuffer(value.rawJson);
}

/** Returns true for JSON that is sent in pieces. */
export function isJsonStream(value: unknown): value is JsonStream {
  return typeof value === 'object' && value !== null && 'jsonPieces' in value;
}

function bytesOf(value: unknown): Buffer {
  return isRawJson(value) ? value.rawJson : Buffer.from(jsonText(value));
}

/** Names of UTF-8 in a `charset` parameter. */
export const UTF8_NAMES: ReadonlySet<string> = new Set(['utf-8', 'utf8']);

/** Returns the `charset` of a media type in lower case; UTF-8 if it has none. */
export function charsetOf(contentType = ''): string {
  return /;\s*charset="?([\w.:-]+)"?/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
}

/**
 * Decodes bytes as text. Throws `upstream_bad_reply` for invalid bytes, which replacement characters would
 * silently replace.
 */
function textOf(body: Buffer, charset: string): string {
  try {
    return createTextDecoder(charset).decode(body);
  } catch (cause) {
    throw undecodable(charset, cause);
  }
}

/** Creates the decoder of a character set. It throws for invalid bytes. Throws for an unknown name. */
export function createTextDecoder(charset: string): InstanceType<typeof TextDecoder> {
  return new TextDecoder(charset, { fatal: true, ignoreBOM: true });
}

/** Returns the Problem of a reply that is not text in the character set it declares. */
export function undecodable(charset: string, cause: unknown): Problem {
  return new Problem('upstream_bad_reply', `the reply is not text in the character set ${charset}`, {
    cause,
  });
}
