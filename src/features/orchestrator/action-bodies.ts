import type { UpstreamReply } from '../../core/adapter.js';
import { isRawJson, jsonOrText, rawObject } from '../../core/decode-reply.js';
import { mediaTypeOf } from '../../core/header.js';
import type { ReplyHeaders } from '../../core/http.js';
import type { JsonStream, RawJson } from '../../core/operation.js';
import { Problem, type RequestError } from '../../core/problem.js';
import { objectOf } from '../../json/json-object.js';
import { pointerTo } from '../../json/pointer.js';
import { parseExactJson } from '../../json/strict-json.js';
import { jsonText } from '../../json/write-json.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import { nextTurn } from '../../lib/turns.js';
import { LARGE_REPLY_BYTES, MAX_UTF8_GROWTH, replyPieces } from '../lib/reply-pieces.js';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Returns the bytes of an action's body: a form (WHATWG URL Standard) if the media type is a form, otherwise JSON, as the
 * caller wrote it if `text` is given: an orchestrator may distinguish `1.0` from `1`.
 * Undefined for `{}`, because clients of the platform must always send a body (wire 3.1). Throws `invalid_request` for a
 * body that a form cannot carry.
 */
export function actionBody(
  body: Readonly<Record<string, unknown>>,
  contentType: string | undefined,
  text?: string,
): Buffer | undefined {
  const isForm = mediaTypeOf(contentType) === FORM;
  if (Object.keys(body).length > 0) {
    if (!isForm) return Buffer.from(text ?? jsonText(body));
    return Buffer.from(formOf(text === undefined ? body : fieldsOf(text)));
  }
  // A body of very many values is only text.
  if (text === undefined || /^\{\s*\}$/.test(text)) return undefined;
  if (isForm) throw new Problem('invalid_request', '/body has too many values to be a form.');
  return Buffer.from(text);
}

/** Returns the members of a body with all digits of their whole numbers. Throws `invalid_request` for another number that would lose digits. */
function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  const parsed = parseExactJson(Buffer.from(text));
  if ('value' in parsed) return objectOf(parsed.value);
  const { pointer, message } = parsed.fault;
  throw new Problem('invalid_request', `/body${pointer} ${message}.`, {
    errors: [{ pointer: `/body${pointer}`, message }],
  });
}

/** Returns the members as fields; a list repeats its field. */
function formOf(body: Readonly<Record<string, unknown>>): string {
  const form = new URLSearchParams();
  const errors: RequestError[] = [];
  for (const [name, value] of Object.entries(body)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!values.every(isScalar)) errors.push(notScalar(name));
    else for (const item of values) form.append(name, String(item));
  }
  const [error] = errors;
  if (!error) return form.toString();
  throw new Problem('invalid_request', `${error.pointer} ${error.message}.`, {
    errors,
    advice: 'Send only fields that a form can carry, or send the body as JSON.',
  });
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function notScalar(name: string): RequestError {
  return {
    pointer: pointerTo('/body', name),
    message: 'must be a text, a number, true or false, or a list of these, to be a field of a form',
  };
}

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
