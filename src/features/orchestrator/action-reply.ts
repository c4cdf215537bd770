import type { UpstreamReply } from '../../core/adapter.js';
import { isRawJson, jsonOrText, rawObject } from '../../core/decode-reply.js';
import type { ReplyHeaders } from '../../core/http.js';
import type { JsonStream, RawJson } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import { nextTurn } from '../../lib/turns.js';
import { LARGE_REPLY_BYTES, MAX_UTF8_GROWTH, replyPieces } from '../lib/reply-pieces.js';

/** A reply to a request of an action, with the headers that the caller may see. */
interface ActionReply {
  readonly reply: UpstreamReply;
  readonly headers: ReplyHeaders;
}

type Element = RawJson | JsonStream;

/**
 * Returns the list of an action's replies with their headers and bodies: JSON byte for byte, text as a string, other
 * bytes as `bodyBase64`. Sends large bodies in pieces. Fails for no body, because the action was carried out; throws only
 * the reason of the signal.
 */
export async function actionReplies(replies: readonly ActionReply[], signal: CancelSignal): Promise<Element> {
  const elements: Element[] = [];
  for (const reply of replies) elements.push(await elementOf(reply, signal));
  if (elements.every(isRawJson)) {
    const separated = elements.flatMap(({ rawJson }, at) => (at === 0 ? [rawJson] : [COMMA, rawJson]));
    return { rawJson: Buffer.concat([Buffer.from('['), ...separated, Buffer.from(']')]) };
  }
  return { jsonPieces: listPieces(elements) };
}

const COMMA = Buffer.from(',');

async function* listPieces(elements: readonly Element[]): AsyncGenerator<string | Uint8Array> {
  for (const [at, element] of elements.entries()) {
    yield at === 0 ? '[' : ',';
    if (isRawJson(element)) yield element.rawJson;
    else yield* element.jsonPieces;
  }
  yield ']';
}

async function elementOf({ reply, headers }: ActionReply, signal: CancelSignal): Promise<Element> {
  const { status, body } = reply;
  const head = { result: String(status), headers };
  const isLarge = body.length > LARGE_REPLY_BYTES;
  try {
    if (!isLarge) return rawObject({ ...head, body: jsonOrText(reply) });
    const { pieces } = await replyPieces(reply, { signal, maxBytes: body.length * MAX_UTF8_GROWTH });
    return { jsonPieces: objectPieces(head, 'body', pieces()) };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'upstream_bad_reply') throw error;
    if (!isLarge) return rawObject({ ...head, bodyBase64: body.toString('base64') });
    return { jsonPieces: objectPieces(head, 'bodyBase64', base64Pieces(body)) };
  }
}

async function* objectPieces(
  head: object,
  name: string,
  value: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  yield `${JSON.stringify(head).slice(0, -1)},"${name}":`;
  yield* value;
  yield '}';
}

/** Size of one piece in bytes; a multiple of three, so that no piece but the last has padding. */
const BASE64_PIECE_BYTES = 98_304;

async function* base64Pieces(body: Buffer): AsyncGenerator<string> {
  yield '"';
  for (let at = 0; at < body.length; at += BASE64_PIECE_BYTES) {
    yield body.toString('base64', at, at + BASE64_PIECE_BYTES);
    await nextTurn();
  }
  yield '"';
}
