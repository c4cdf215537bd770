import type { Reply } from '../domain/operation.js';
import { type Problem, problemDocument } from '../domain/problem.js';
import { isRawJson } from '../domain/reply-value.js';

/** A whole answer, ready to be written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** The failure that this answer tells of. */
  readonly problem?: Problem;
}

/** The answer 200 with the reply's value as JSON, or its JSON bytes as they are. Throws when the value is no JSON. */
export function replyAnswer({ body }: Reply, requestId: string): Answer {
  const bytes = isRawJson(body) ? body.rawJson : Buffer.from(toJson(body));
  return { status: 200, headers: headersOf('application/json', bytes, requestId), bytes };
}

/** The answer of a failure: `application/problem+json` (RFC 9457). `instance` is the path without its query. */
export function problemAnswer(problem: Problem, instance: string, requestId: string): Answer {
  const bytes = Buffer.from(JSON.stringify(problemDocument(problem, instance, requestId)));
  const headers = { ...headersOf('application/problem+json', bytes, requestId), ...problem.extras.headers };
  return { status: problem.status, headers, bytes, problem };
}

/** `undefined` has no JSON; as an answer it means the same as null. */
function toJson(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function headersOf(type: string, bytes: Buffer, requestId: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'content-length': String(bytes.length),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
}
