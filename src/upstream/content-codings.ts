import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { HttpReply, HttpRequest, ReplyHeaders } from '../core/http.js';
import { Problem } from '../core/problem.js';

/** Returns true for content codings that are accepted in a reply. */
export type AcceptsCoding = (coding: string) => boolean;

export const ANY_CODING: AcceptsCoding = () => true;

/** Returns the codings that a request asks for (RFC 9110 section 12.5.3). */
export function requestedCodings({ headers }: HttpRequest): AcceptsCoding {
  const lines = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'accept-encoding');
  const ranges = lines
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, weight = '']) => !/^q=0(?:\.0*)?$/.test(weight))
    .map(([coding]) => coding);
  return (coding) => ranges.includes(coding) || ranges.includes('*');
}

/** Returns the Problem for a reply that exceeds the limit. */
export function replyTooLarge(maxBytes: number): Problem {
  return new Problem('upstream_too_large', `the reply is larger than the limit of ${maxBytes} bytes`);
}

type Decoder = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const inflateZlib = promisify(inflate) as Decoder;

const inflateWithoutHeader = promisify(inflateRaw) as Decoder;

const decodeGzip = promisify(gunzip) as Decoder;

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', decodeGzip],
  ['x-gzip', decodeGzip],
  // "deflate" means the zlib format (RFC 9110 section 8.4.1.2); some servers omit its two-byte header.
  [
    'deflate',
    (body, options) => (((body[0] ?? 0) & 0x0f) === 8 ? inflateZlib : inflateWithoutHeader)(body, options),
  ],
  ['br', promisify(brotliDecompress)],
]);

/**
 * Decodes the content coding of a reply (gzip, deflate, br), and removes the headers that described it.
 * Throws `upstream_too_large` beyond `maxBytes`, and `upstream_bad_reply` for broken, unknown and nested
 * codings.
 */
export function decodeReply(
  reply: HttpReply,
  maxBytes: number,
  accepts: AcceptsCoding,
): HttpReply | Promise<HttpReply> {
  // Almost no reply has a content coding.
  if (reply.headers['content-encoding'] === undefined || reply.body.length === 0) return reply;
  const codings = codingsOf(reply.headers);
  if (codings.length === 0) return reply;
  return codings.every(accepts) ? withDecodedBody(reply, codings, maxBytes) : Promise.reject(otherCoding());
}

function otherCoding(): Problem {
  return new Problem('upstream_bad_reply', 'the reply has a content coding that was not requested');
}

async function withDecodedBody(
  reply: HttpReply,
  codings: readonly string[],
  maxBytes: number,
): Promise<HttpReply> {
  const decoder = codings.length === 1 ? DECODERS.get(codings[0] ?? '') : undefined;
  if (!decoder) throw otherCoding();
  const body = await decode(decoder, reply.body, maxBytes);
  return { ...reply, headers: withoutHeaders(reply.headers, ['content-encoding', 'content-length']), body };
}

function codingsOf(headers: ReplyHeaders): readonly string[] {
  return [headers['content-encoding'] ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

async function decode(decoder: Decoder, body: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await decoder(body, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (cause) {
    if (cause instanceof RangeError) throw replyTooLarge(maxBytes);
    throw new Problem('upstream_bad_reply', 'the content coding of the reply is broken', { cause });
  }
}

function withoutHeaders(headers: ReplyHeaders, names: readonly string[]): ReplyHeaders {
  const kept = Object.entries(headers).filter(([name]) => !names.includes(name));
  return Object.assign(Object.create(null) as object, Object.fromEntries(kept));
}
