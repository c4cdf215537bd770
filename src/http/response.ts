import type { Reply } from '../core/operation.js';
import { type Problem, problemDocument } from '../core/problem.js';
import type { Redact } from '../core/redactor.js';
import { isJsonStream, isLiveText, isRawJson } from '../core/decode-reply.js';
import { LARGE_WRITES, type Pieces } from './stream.js';

/** A complete response, ready to be written. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly bytes: Buffer;
  /** Chunks that are sent instead of `bytes`, as they become available. */
  readonly pieces?: Pieces;
  /** The failure that this response reports. */
  readonly problem?: Problem;
}

/**
 * Creates a 200 response with the reply's value as JSON, or with its raw JSON. Throws when the value has no
 * JSON form.
 */
export function jsonResponse({ body }: Reply, requestId: string): HttpResponse {
  if (isJsonStream(body)) {
    const headers = headersOf('application/json', requestId);
    const sections = { source: body.jsonPieces, together: LARGE_WRITES };
    return { status: 200, headers, bytes: Buffer.alloc(0), pieces: sections };
  }
  const bytes = isRawJson(body) ? body.rawJson : Buffer.from(toJson(body));
  return { status: 200, headers: sizedHeaders('application/json', bytes, requestId), bytes };
}

/** Creates a 200 response with a text of the media type, complete or as it is produced. */
export function textResponse({ body }: Reply, type: string, requestId: string): HttpResponse {
  if (isLiveText(body)) {
    const headers = { ...headersOf(type, requestId), 'content-type': type };
    return { status: 200, headers, bytes: Buffer.alloc(0), pieces: { source: body.livePieces, together: 0 } };
  }
  const bytes = Buffer.from(String(body));
  return { status: 200, headers: { ...sizedHeaders(type, bytes, requestId), 'content-type': type }, bytes };
}

/** Creates a 303 response (RFC 9110 section 15.4.4), which the client follows with a GET. */
export function redirectResponse(location: string, requestId: string): HttpResponse {
  const headers = { ...commonHeaders(requestId), 'content-length': '0', location };
  return { status: 303, headers, bytes: Buffer.alloc(0) };
}

/** The failed request, and the redaction of its response. */
export interface FailedRequest {
  /** Path without its query. */
  readonly instance: string;
  readonly requestId: string;
  /** Applied to every text of the response: an orchestrator or a plugin may repeat its credentials. */
  readonly redact?: Redact | undefined;
}

/** Creates an error response: `application/problem+json` (RFC 9457). */
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

/**
 * Policy of data responses: they load nothing, run nothing, and cannot be framed (CSP Level 3). Pages set
 * their own policy.
 */
const DATA_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Returns the JSON of a value; `undefined` has no JSON form and is sent as null. */
function toJson(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** Returns the headers of every response, for a body of a media type. */
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
