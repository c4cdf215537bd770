import { isJsonStream, isRawJson } from '../core/decode-reply.js';
import type { Reply, LiveText } from '../core/operation.js';
import { PROBLEMS } from '../core/problem-codes.js';
import type { Problem, ProblemHeaders } from '../core/problem.js';
import type { Redact } from '../core/secret.js';
import { jsonText } from '../json/write-json.js';
import { redactValue } from './redact-value.js';
import { DOCUMENT_BATCH_LENGTH, type ResponseChunks } from './stream.js';

/** A complete response, before it is written. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
  /** Chunks that replace `body` in a chunked response. */
  readonly chunks?: ResponseChunks;
  /** The failure that this response reports. */
  readonly problem?: Problem;
  /** Result for the access line and the metrics, if the response is the envelope of another; absent: this response. */
  readonly recorded?: SentResponse;
}

/** The members of a response that its record needs. */
export type SentResponse = Pick<HttpResponse, 'status' | 'body' | 'problem'>;

const NO_BODY = Buffer.alloc(0);

/**
 * Creates a 200 response with the reply's value as JSON, with its raw JSON, or with its chunks of JSON.
 * Throws a TypeError if the value has no JSON form.
 */
export function jsonResponse({ body: value }: Reply, requestId: string): HttpResponse {
  if (isJsonStream(value)) {
    const headers = unsizedHeaders('application/json', requestId);
    const chunks = { source: value.jsonPieces, batchLength: DOCUMENT_BATCH_LENGTH };
    return { status: 200, headers, body: NO_BODY, chunks };
  }
  const body = isRawJson(value) ? value.rawJson : Buffer.from(toJson(value));
  return { status: 200, headers: sizedHeaders('application/json', body, requestId), body };
}

/** Creates a 200 response with a text of the media type, complete or in chunks. */
export function textResponse({ body: value }: Reply, type: string, requestId: string): HttpResponse {
  if (isLiveText(value)) {
    const headers = { ...unsizedHeaders(type, requestId), 'content-type': type };
    return { status: 200, headers, body: NO_BODY, chunks: { source: value.livePieces, batchLength: 0 } };
  }
  const body = Buffer.from(String(value));
  return { status: 200, headers: { ...sizedHeaders(type, body, requestId), 'content-type': type }, body };
}

/** Creates a 303 response (RFC 9110 section 15.4.4); the client follows it with a GET. */
export function redirectResponse(location: string, requestId: string): HttpResponse {
  const headers = { ...commonHeaders(requestId), 'content-length': '0', location };
  return { status: 303, headers, body: NO_BODY };
}

/** Creates a 304 response (RFC 9110 section 15.4.5) for a client that has the current document. */
export function notModifiedResponse(requestId: string): HttpResponse {
  return { status: 304, headers: commonHeaders(requestId), body: NO_BODY };
}

/** Creates a 204 response (RFC 9110 section 15.3.5). */
export function noContentResponse(requestId: string): HttpResponse {
  return { status: 204, headers: commonHeaders(requestId), body: NO_BODY };
}

/** A failed request, and the redaction of its response. */
interface FailedRequest {
  /** Path without its query. */
  readonly instance: string;
  readonly requestId: string;
  /** Redacts every text and member name of the response, because an orchestrator or a plugin may repeat its credentials. */
  readonly redact?: Redact | undefined;
  /** True replaces the problem document by its message as a JSON string, `application/json`. */
  readonly messageOnly?: boolean;
}

/** Creates an error response: `application/problem+json` (RFC 9457), or the message as a JSON string. */
export function problemResponse(problem: Problem, failed: FailedRequest): HttpResponse {
  const { instance, requestId, redact = (text: string) => text, messageOnly = false } = failed;
  const members = Object.entries(problemDocument(problem, instance, requestId));
  const redacted = members.map(([name, value]) => [name, redactValue(value, redact)] as const);
  const document = messageOnly ? redact(problem.message) : Object.fromEntries(redacted);
  const body = Buffer.from(jsonText(document));
  const ownHeaders = Object.entries(problem.extras.headers ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? redact(value) : value.map(redact),
  ]);
  const headers = {
    ...sizedHeaders(messageOnly ? 'application/json' : 'application/problem+json', body, requestId),
    ...(Object.fromEntries(ownHeaders) as ProblemHeaders),
  };
  return { status: problem.status, headers, body, problem };
}

/**
 * Content security policy of data responses (CSP Level 3): load nothing, run nothing, allow no frame. Pages
 * set another policy.
 */
const DATA_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Returns the JSON of a value; `undefined` becomes `null`. */
function toJson(value: unknown): string {
  return jsonText(value);
}

/** Returns the headers of a response with a complete body of a media type. */
export function sizedHeaders(type: string, body: Buffer, requestId: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy': DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    'content-length': String(body.length),
  };
}

function unsizedHeaders(type: string, requestId: string): Record<string, string> {
  return { 'content-type': `${type}; charset=utf-8`, ...commonHeaders(requestId) };
}

/** Returns the headers of every response, without those of its body. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
}

/**
 * Returns the body of an error response, `application/problem+json` (RFC 9457). `message` repeats `detail`
 * for existing clients. It is the first member, because `ipctl` and Ansible print the body as it is.
 */
export function problemDocument(
  problem: Problem,
  instance: string,
  requestId: string,
): Record<string, unknown> {
  const { title, recommendation } = PROBLEMS[problem.code];
  const { advice = recommendation, error, errors, upstream } = problem.extras;
  return {
    message: problem.message,
    code: problem.code,
    type: `urn:gatehouse:problem:${problem.code}`,
    title,
    status: problem.status,
    detail: problem.message,
    instance,
    requestId,
    ...(error !== undefined && { error }),
    ...(errors && { errors }),
    ...(upstream && { upstream }),
    recommendation: advice,
  };
}

/** Returns true for text that is sent while it is generated. */
function isLiveText(value: unknown): value is LiveText {
  return typeof value === 'object' && value !== null && 'livePieces' in value;
}
