import { headerOf } from '../../core/adapter.js';
import { charsetOf, createTextDecoder, undecodable, UTF8_NAMES } from '../../core/decode-reply.js';
import { isJson } from '../../core/header.js';
import type { HttpReply } from '../../core/http.js';
import { Problem } from '../../core/problem.js';
import { withoutByteOrderMark } from '../../json/byte-order-mark.js';
import { isJsonTextInSteps } from '../../json/json-text.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import { nextTurn } from '../../lib/turns.js';

/** Size in bytes beyond which the body of a reply is inspected and sent in pieces. */
export const LARGE_REPLY_BYTES = 262_144;

/** Maximum number of bytes in UTF-8 for one byte in another character set. */
export const MAX_UTF8_GROWTH = 3;

/** Size of one piece in bytes that is passed on or only inspected. */
const PIECE_BYTES = 131_072;

/** Size of one piece in bytes that is decoded and escaped: about a millisecond of work, whatever it contains. */
const TEXT_PIECE_BYTES = 32_768;

/** The body of a large reply as JSON: a JSON text unchanged, any other text as one string. */
export interface ReplyPieces {
  readonly isText: boolean;
  /** Creates the pieces, each in a turn of its own. Never throws. */
  readonly pieces: () => AsyncGenerator<string | Buffer>;
}

/**
 * Inspects a large reply like `jsonOrText`, in pieces with turns of the event loop between them. The answer
 * itself is never in memory: the escaped form of a text is up to six times as large as the text. Throws
 * `upstream_bad_reply`, `upstream_too_large` if JSON in another character set exceeds `maxBytes` as UTF-8, and
 * the reason of the signal.
 */
export async function replyPieces(
  { headers, body }: HttpReply,
  { signal, maxBytes }: { readonly signal: CancelSignal; readonly maxBytes: number },
): Promise<ReplyPieces> {
  const contentType = headerOf(headers, 'content-type');
  const charset = charsetOf(contentType);
  const pause = async (): Promise<void> => {
    await nextTurn();
    signal.throwIfAborted();
  };
  const isUtf8 = UTF8_NAMES.has(charset);
  const isCopied = isJson(contentType) && !isUtf8;
  const copy = await transcode(body, { charset, maxBytes: isCopied ? maxBytes : 0, pause });
  const utf8 = isUtf8 ? body : copy;
  const json = utf8 && withoutByteOrderMark(utf8);
  if (json && isJson(contentType) && (await isJsonTextInSteps(json, PIECE_BYTES, pause)))
    return { isText: false, pieces: () => rawPieces(json) };
  return { isText: true, pieces: () => stringPieces(body, charset) };
}

interface TranscodeTerms {
  readonly charset: string;
  /** Maximum size of the result; 0 only checks the bytes. */
  readonly maxBytes: number;
  readonly pause: () => Promise<void>;
}

/** Returns a text as UTF-8; undefined if it is only checked. */
async function transcode(
  body: Buffer,
  { charset, maxBytes, pause }: TranscodeTerms,
): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for (const text of decodedPieces(body, charset)) {
    if (maxBytes > 0) {
      const part = Buffer.from(text);
      length += part.length;
      if (length > maxBytes)
        throw new Problem('upstream_too_large', `the reply is larger than ${maxBytes} bytes in UTF-8`);
      parts.push(part);
    }
    await pause();
  }
  return maxBytes > 0 ? Buffer.concat(parts, length) : undefined;
}

function* decodedPieces(body: Buffer, charset: string): Generator<string> {
  try {
    const decoder = createTextDecoder(charset);
    for (let at = 0; at < body.length; at += TEXT_PIECE_BYTES)
      yield decoder.decode(body.subarray(at, at + TEXT_PIECE_BYTES), { stream: true });
    yield decoder.decode();
  } catch (cause) {
    throw undecodable(charset, cause);
  }
}

async function* rawPieces(json: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < json.length; at += PIECE_BYTES) {
    yield json.subarray(at, at + PIECE_BYTES);
    await nextTurn();
  }
}

async function* stringPieces(body: Buffer, charset: string): AsyncGenerator<string> {
  yield '"';
  for (const text of decodedPieces(body, charset)) {
    yield JSON.stringify(text).slice(1, -1);
    await nextTurn();
  }
  yield '"';
}
