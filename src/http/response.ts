import type { Reply } from '../core/operation.js';
import { type Problem, problemDocument } from '../core/problem.js';
import type { Redact } from '../core/redactor.js';
import { isJsonStream, isLiveText, isRawJson } from '../core/decode-reply.js';
import { LARGE_WRITES, type Pieces } from './stream.js';

/** A whole answer, ready to be written. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly bytes: Buffer;
  /** What is sent in place of `bytes`, as it becomes known. */
  readonly pieces?: Pieces;
  /** The failure that this answer tells of. */
  readonly problem?: Problem;
}

/** The answer 200 with the reply's value as JSON, or its JSON as it is. Throws when the value is no JSON. */
export function jsonResponse({ body }: Reply, requestId: string): HttpResponse {
  if (isJsonStream(body)) {
    const headers = headersOf('application/json', requestId);
    const sections = { source: body.jsonPieces, together: LARGE_WRITES };
    return { status: 200, headers, bytes: Buffer.alloc(0), pieces: sections };
  }
  const bytes = isRawJson(body) ? body.rawJson : Buffer.from(toJson(body));
  return { status: 200, headers: sizedHeaders('application/json', bytes, requestId), bytes };
}

/** The answer 200 with a text of a media type, whole or while it comes about. */
export function textResponse({ body }: Reply, type: string, requestId: string): HttpResponse {
  if (isLiveText(body)) {
    const headers = { ...headersOf(type, requestId), 'content-type': type };
    return { status: 200, headers, bytes: Buffer.alloc(0), pieces: { source: body.livePieces, together: 0 } };
  }
  const bytes = Buffer.from(String(body));
  return { status: 200, headers: { ...sizedHeaders(type, bytes, requestId), 'content-type': type }, bytes };
}

/** The answer 303 (RFC 9110 section 15.4.4): the caller goes on elsewhere, with a GET. */
export function redirectResponse(location: string, requestId: string): HttpResponse {
  const headers = { ...commonHeaders(requestId), 'content-length': '0', location };
  return { status: 303, headers, bytes: Buffer.alloc(0) };
}

/** The request that failed, and how its answer is kept free of secrets. */
export interface FailedRequest {
  /** Path without its query. */
  readonly instance: string;
  readonly requestId: string;
  /** Looks at every text of the answer: an orchestrator or a plugin may repeat the credentials that it was given. */
  readonly redact?: Redact | undefined;
}

/** The answer of a failure: `application/problem+json` (RFC 9457). */
export function problemResponse(problem: Problem, failed: FailedRequest): HttpResponse {
  const { instance, requestId, redact = (text: string) => text } = failed;
  const clean = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? redact(value) : value;
  const bytes = Buffer.from(JSON.stringify(problemDocument(problem, instance, requestId), clean));
  const own = Object.entries(problem.extras.headers ?? {}).map(([name, value]) => [name, redact(value)]);
  const headers = {
    ...sizedHeaders('application/problem+json', bytes, requestId),
    ...(Object.fromEntries(own) as Record<string, string>),
  };
  return { status: problem.status, headers, bytes, problem };
}

/** An answer is data: nothing of it loads, runs or stands in a frame as a page (CSP Level 3). Pages bring their own policy. */
const DATA_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** `undefined` has no JSON; as an answer it means the same as null. */
function toJson(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** Headers that every answer has, for a body of a media type. */
export function sizedHeaders(type: string, bytes: Buffer, requestId: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy': DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    'content-length': String(bytes.length),
  };
}

function headersOf(type: string, requestId: string): Record<string, string> {
  return { 'content-type': `${type}; charset=utf-8`, ...commonHeaders(requestId) };
}

function commonHeaders(requestId: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
}
