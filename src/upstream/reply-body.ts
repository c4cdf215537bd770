import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { HttpReply, HttpRequest, ReplyHeaders } from '../core/http.js';
import { Problem } from '../core/problem.js';
import { afterSending, type ReplyBytes } from '../core/reply-memory.js';

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

type OpenDecoder = (body: Buffer) => Transform;

const DECODERS: ReadonlyMap<string, OpenDecoder> = new Map<string, OpenDecoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // "deflate" means the zlib format (RFC 9110 section 8.4.1.2); some servers omit its two-byte header.
  ['deflate', ([first = 0]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
]);

/** Limits of a decoded body. */
interface DecodeTerms {
  readonly maxBytes: number;
  /** Memory of which the decoded body is reserved. */
  readonly memory?: ReplyBytes | undefined;
  /** Method of the request. */
  readonly method: string;
}

/**
 * Decodes the content coding of a reply (gzip, deflate, br), and removes the headers that described it.
 * Throws `upstream_too_large` beyond `maxBytes`, and `upstream_bad_reply` for broken, unknown and nested
 * codings.
 */
export function decodeReply(
  reply: HttpReply,
  terms: DecodeTerms,
  accepts: AcceptsCoding,
): HttpReply | Promise<HttpReply> {
  // Almost no reply has a content coding.
  if (reply.headers['content-encoding'] === undefined || reply.body.length === 0) return reply;
  const codings = codingsOf(reply.headers);
  if (codings.length === 0) return reply;
  return codings.every(accepts) ? withDecodedBody(reply, codings, terms) : Promise.reject(otherCoding());
}

function otherCoding(): Problem {
  return new Problem('upstream_bad_reply', 'the reply has a content coding that was not requested');
}

async function withDecodedBody(
  reply: HttpReply,
  codings: readonly string[],
  terms: DecodeTerms,
): Promise<HttpReply> {
  const decoder = codings.length === 1 ? DECODERS.get(codings[0] ?? '') : undefined;
  if (!decoder) throw otherCoding();
  const body = await decode(decoder(reply.body), reply.body, terms);
  return { ...reply, headers: withoutHeaders(reply.headers, ['content-encoding', 'content-length']), body };
}

function codingsOf(headers: ReplyHeaders): readonly string[] {
  return [headers['content-encoding'] ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/** Decodes in pieces, because a small body may become a large one. */
async function decode(
  decoder: Transform,
  body: Buffer,
  { maxBytes, memory, method }: DecodeTerms,
): Promise<Buffer> {
  const sink = new ByteSink({ maxBytes, memory });
  decoder.end(body);
  try {
    for await (const piece of decoder) if (!sink.append(piece as Buffer)) throw replyTooLarge(maxBytes);
  } catch (cause) {
    if (cause instanceof Problem) throw afterSending(cause, method);
    throw new Problem('upstream_bad_reply', 'the content coding of the reply is broken', { cause });
  }
  return sink.bytes();
}

function withoutHeaders(headers: ReplyHeaders, names: readonly string[]): ReplyHeaders {
  const kept = Object.entries(headers).filter(([name]) => !names.includes(name));
  return Object.assign(Object.create(null) as object, Object.fromEntries(kept));
}

/** Size of a body up to which it needs no reservation, and is allocated in advance, in bytes. */
const SMALL_BODY_BYTES = 65_536;

/** Initial buffer size without a declared length, in bytes. */
const DEFAULT_BUFFER_BYTES = 4096;

/** Limits of a {@link ByteSink}. */
interface ByteSinkLimits {
  readonly maxBytes: number;
  /** Length that the sender has declared. */
  readonly declared?: number | undefined;
  /** Memory of which larger buffers are reserved. Absent: none is. */
  readonly memory?: ReplyBytes | undefined;
}

/**
 * Collects bytes up to a limit. Copies chunks into one growing buffer, because a list of chunks could cost a hundred times
 * the size of a reply that arrives byte by byte.
 */
export class ByteSink {
  readonly #limits: ByteSinkLimits;
  #buffer: Buffer;
  #length = 0;

  /** Throws the Problem of the memory if it has no room for the declared length: nothing is read then. */
  constructor(limits: ByteSinkLimits) {
    this.#limits = limits;
    const { maxBytes, declared = DEFAULT_BUFFER_BYTES, memory } = limits;
    if (declared > SMALL_BODY_BYTES) memory?.resize(Math.min(maxBytes, declared));
    this.#buffer = Buffer.allocUnsafe(Math.min(maxBytes, declared, SMALL_BODY_BYTES));
  }

  /**
   * Appends a chunk; returns false and appends nothing if the limit would be exceeded. Throws the Problem of the memory if it has no
   * room.
   */
  append(chunk: Uint8Array): boolean {
    const needed = this.#length + chunk.length;
    if (needed > this.#limits.maxBytes) return false;
    if (needed > this.#buffer.length) this.#grow(needed);
    this.#buffer.set(chunk, this.#length);
    this.#length = needed;
    return true;
  }

  bytes(): Buffer {
    return this.#length === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const { maxBytes, declared = 0, memory } = this.#limits;
    const former = this.#buffer;
    const isDeclared = needed <= declared;
    const size = Math.min(maxBytes, isDeclared ? declared : Math.max(needed, 2 * former.length));
    // Both buffers exist while one is copied. What is declared has been reserved.
    if (!isDeclared && size > SMALL_BODY_BYTES) memory?.resize(former.length + size);
    const next = Buffer.allocUnsafe(size);
    former.copy(next, 0, 0, this.#length);
    this.#buffer = next;
    if (!isDeclared && size > SMALL_BODY_BYTES) memory?.resize(size);
  }
}
