import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { HttpLimits, HttpReply, HttpRequest, ReplyHeaders } from '../core/http.js';
import { Problem } from '../core/problem.js';
import type { Deadline } from './deadline.js';
import { failureOf } from './failure.js';
import { countInformational } from './informational.js';
import type { TargetOwner } from './tls-advice.js';

/** Maximum size of a reply's head, in bytes. */
export const REPLY_HEAD_BYTES = 65_536;

/** Limits of one exchange. */
export interface ExchangeTerms {
  readonly limits: Omit<HttpLimits, 'totalMs'>;
  readonly deadline: Deadline;
  /**
   * True if a proxy receives the request: the target must then be the absolute URL (RFC 9112 section 3.2.2).
   */
  readonly absoluteForm?: boolean;
  /** Whose settings lead to the target, for advice about a failure; absent for Vault and token issuers. */
  readonly owner?: TargetOwner;
  /** True refuses a reply with a content coding that the request did not ask for. */
  readonly refusesOtherCodings?: boolean;
}

/**
 * Sends a request at most once and resolves to its complete, decoded reply. Throws the Problems of
 * `HttpClient.send`.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  terms: ExchangeTerms,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const codings = terms.refusesOtherCodings ? requestedCodings(request) : ANY_CODING;
    const isPlain = request.url.startsWith('http:') && terms.absoluteForm !== true;
    const handler = createReplyHandler({ ...terms, codings, isPlain }, { resolve, reject });
    dispatcher.dispatch(dispatchOptions(request, terms), handler);
  });
}

function dispatchOptions(
  { url, method, headers, body }: HttpRequest,
  { absoluteForm = false }: ExchangeTerms,
): Dispatcher.DispatchOptions {
  const { href, origin, hash } = new URL(url);
  const lines: string[] = [];
  let hasCodings = false;
  for (const [name, value] of Object.entries(headers)) {
    lines.push(name, value);
    hasCodings ||= name.toLowerCase() === 'accept-encoding';
  }
  if (!hasCodings) lines.push('accept-encoding', 'identity');
  return {
    origin,
    // Not built from the parts of the URL, because those do not distinguish "/a?" from "/a".
    path: href.slice(absoluteForm ? 0 : origin.length, href.length - hash.length),
    method,
    headers: lines,
    body: body ?? null,
  };
}

/** Returns true for content codings that are accepted in a reply. */
type AcceptsCoding = (coding: string) => boolean;

const ANY_CODING: AcceptsCoding = () => true;

/** Returns the codings that a request asks for (RFC 9110 section 12.5.3). */
function requestedCodings({ headers }: HttpRequest): AcceptsCoding {
  const lines = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'accept-encoding');
  const ranges = lines
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, weight = '']) => !/^q=0(?:\.0*)?$/.test(weight))
    .map(([coding]) => coding);
  return (coding) => ranges.includes(coding) || ranges.includes('*');
}

interface ReplySettlement {
  readonly resolve: (reply: HttpReply | Promise<HttpReply>) => void;
  readonly reject: (error: Error) => void;
}

interface ReplyTerms extends ExchangeTerms {
  readonly codings: AcceptsCoding;
  /** True for a request over plain HTTP. */
  readonly isPlain: boolean;
}

function createReplyHandler(
  { limits, deadline, codings, isPlain, owner }: ReplyTerms,
  settlement: ReplySettlement,
): Dispatcher.DispatchHandler {
  const { replyBytes } = limits;
  let cancelFirstByteTimer: () => void = () => undefined;
  const informational = countInformational();
  let head: { readonly status: number; readonly headers: ReplyHeaders; readonly sink: ByteSink } | undefined;
  return {
    onRequestStart(controller) {
      // A request that waited beyond the deadline is dropped here, before any byte is written.
      deadline.onEnd((reason) => {
        controller.abort(reason);
      });
      if (controller.aborted) return;
      deadline.phase = 'waiting for the reply';
      const { firstByteMs } = limits;
      if (firstByteMs === undefined) return;
      // Ends only this exchange; the call may have time for another attempt.
      cancelFirstByteTimer = deadline.after(firstByteMs, () => {
        controller.abort(noFirstByte(firstByteMs));
      });
    },
    onResponseStart(controller, status, received) {
      if (status < 200) {
        const tooMany = informational();
        if (tooMany) controller.abort(tooMany);
        return;
      }
      cancelFirstByteTimer();
      deadline.phase = 'reading the reply';
      const headers = Object.assign(Object.create(null) as object, received) as ReplyHeaders;
      head = { status, headers, sink: createByteSink(replyBytes, initialBufferSize(headers)) };
    },
    onResponseData(_controller, chunk) {
      if (head?.sink.append(chunk) === false) deadline.stop(replyTooLarge(replyBytes));
    },
    onResponseEnd() {
      if (!head) return;
      const { status, headers, sink } = head;
      settlement.resolve(decodeReply({ status, headers, body: sink.bytes() }, replyBytes, codings));
    },
    onResponseError(_controller, error) {
      cancelFirstByteTimer();
      settlement.reject(failureOf(error, { phase: deadline.phase, owner, isPlain }));
    },
  };
}

function initialBufferSize(headers: ReplyHeaders): number {
  const declared = Number(headers['content-length']);
  return Number.isSafeInteger(declared) && declared >= 0
    ? Math.min(declared, MAX_PREALLOCATED_BYTES)
    : DEFAULT_BUFFER_BYTES;
}

function noFirstByte(ms: number): Problem {
  return new Problem(
    'upstream_timeout',
    `the target did not begin its reply within ${ms} ms (timeouts.firstByteMs)`,
  );
}

/** Returns the Problem for a reply that exceeds the limit. */
function replyTooLarge(maxBytes: number): Problem {
  return new Problem('upstream_too_large', `the reply is larger than the limit of ${maxBytes} bytes`);
}

/**
 * Maximum declared length that is allocated in advance, in bytes; beyond it, memory grows with the received
 * bytes.
 */
const MAX_PREALLOCATED_BYTES = 65_536;

/** Initial buffer size without a declared length, in bytes. */
const DEFAULT_BUFFER_BYTES = 4096;

/** Collects bytes up to a limit. */
interface ByteSink {
  /** Appends a chunk; returns false and appends nothing if the limit would be exceeded. */
  append(chunk: Uint8Array): boolean;
  bytes(): Buffer;
}

/**
 * Creates a sink that copies chunks into one growing buffer, with `expected` bytes allocated initially. A
 * list of chunks could cost a hundred times the size of a reply that arrives byte by byte.
 */
function createByteSink(limit: number, expected: number): ByteSink {
  let buffer = Buffer.allocUnsafe(Math.min(limit, expected));
  let length = 0;
  function grow(needed: number): void {
    const next = Buffer.allocUnsafe(Math.min(limit, Math.max(needed, 2 * buffer.length)));
    buffer.copy(next, 0, 0, length);
    buffer = next;
  }
  return {
    append(chunk) {
      const needed = length + chunk.length;
      if (needed > limit) return false;
      if (needed > buffer.length) grow(needed);
      buffer.set(chunk, length);
      length = needed;
      return true;
    },
    bytes: () => buffer.subarray(0, length),
  };
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
function decodeReply(
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

const MAX_READ_BYTES = 4_096;

/**
 * Limits reads from a socket to chunks of at most 4 KiB, and returns nothing after the socket is destroyed.
 * The parser of undici reads a chunk to its end although the head is already too large, and creates an error
 * for every line: with 64 KiB of lines it blocks the process for a third of a second.
 */
export function limitReadSize(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    if (socket.destroyed) return null;
    return read(size ?? (socket.readableLength > MAX_READ_BYTES ? MAX_READ_BYTES : undefined));
  };
  return socket;
}
