import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { HttpReply, ReplyHeaders } from '../core/http.js';
import { Problem } from '../core/problem.js';

type Decoder = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const zlib = promisify(inflate) as Decoder;
const bareDeflate = promisify(inflateRaw) as Decoder;
const gzip = promisify(gunzip) as Decoder;

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  // "deflate" means the zlib format (RFC 9110 section 8.4.1.2); some servers leave its two-byte head out.
  ['deflate', (body, options) => (((body[0] ?? 0) & 0x0f) === 8 ? zlib : bareDeflate)(body, options)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * The reply with its content coding undone (gzip, deflate, br), and without the headers that described it.
 * Throws `upstream_too_large` beyond `maxBytes`, `upstream_bad_reply` for broken, unknown and nested codings.
 */
export function decodeReply(reply: HttpReply, maxBytes: number): HttpReply | Promise<HttpReply> {
  // Nearly none has one.
  if (reply.headers['content-encoding'] === undefined || reply.body.length === 0) return reply;
  const codings = codingsOf(reply.headers);
  return codings.length === 0 ? reply : decoded(reply, codings, maxBytes);
}

async function decoded(reply: HttpReply, codings: readonly string[], maxBytes: number): Promise<HttpReply> {
  const decoder = codings.length === 1 ? DECODERS.get(codings[0] ?? '') : undefined;
  if (!decoder)
    throw new Problem('upstream_bad_reply', 'the reply has a content coding that was not asked for');
  const body = await decode(decoder, reply.body, maxBytes);
  return { ...reply, headers: without(reply.headers, ['content-encoding', 'content-length']), body };
}

/** The Problem for a reply that passes the limit. */
export function tooLarge(maxBytes: number): Problem {
  return new Problem('upstream_too_large', `the reply is larger than the limit of ${maxBytes} bytes`);
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
    if (cause instanceof RangeError) throw tooLarge(maxBytes);
    throw new Problem('upstream_bad_reply', 'the content coding of the reply is broken', { cause });
  }
}

function without(headers: ReplyHeaders, names: readonly string[]): ReplyHeaders {
  const kept = Object.entries(headers).filter(([name]) => !names.includes(name));
  return Object.assign(Object.create(null) as object, Object.fromEntries(kept));
}
