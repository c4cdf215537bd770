import type { Reply } from '../domain/operation.js';
import { type Problem, problemDocument } from '../domain/problem.js';
import type { Redact } from '../domain/redactor.js';
import { isJsonStream, isRawJson } from '../domain/reply-value.js';

/** A whole answer, ready to be written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** What is sent in place of `bytes`, as it becomes known. */
  readonly pieces?: AsyncIterable<string>;
  /** The failure that this answer tells of. */
  readonly problem?: Problem;
}

/** The answer 200 with the reply's value as JSON, or its JSON as it is. Throws when the value is no JSON. */
export function replyAnswer({ body }: Reply, requestId: string): Answer {
  if (isJsonStream(body)) {
    const headers = headersOf('application/json', requestId);
    return { status: 200, headers, bytes: Buffer.alloc(0), pieces: body.jsonPieces };
  }
  const bytes = isRawJson(body) ? body.rawJson : Buffer.from(toJson(body));
  return { status: 200, headers: sizedHeaders('application/json', bytes, requestId), bytes };
}

/** The answer 200 with a text of a media type. */
export function textAnswer({ body }: Reply, type: string, requestId: string): Answer {
  const bytes = Buffer.from(String(body));
  return { status: 200, headers: { ...sizedHeaders(type, bytes, requestId), 'content-type': type }, bytes };
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
export function problemAnswer(problem: Problem, failed: FailedRequest): Answer {
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

/** `undefined` has no JSON; as an answer it means the same as null. */
function toJson(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function sizedHeaders(type: string, bytes: Buffer, requestId: string): Record<string, string> {
  return { ...headersOf(type, requestId), 'content-length': String(bytes.length) };
}

function headersOf(type: string, requestId: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
}
