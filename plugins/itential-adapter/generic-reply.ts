import type { UpstreamReply } from '../../src/core/adapter.js';
import type { ProblemCode } from '../../src/core/problem-codes.js';
import { Problem } from '../../src/core/problem.js';
import { bufferOf, type GenericBody, type GenericOutcome } from './messages.js';

/** Converts an outcome to a reply of the orchestrator. Throws a Problem if the orchestrator gave no reply. */
export function replyOf(outcome: GenericOutcome): UpstreamReply {
  if (outcome.kind === 'refused') throw new Problem('invalid_path', outcome.message);
  if (outcome.kind === 'error') return errorReply(outcome);
  if (outcome.kind === 'too-large') throw tooLarge(outcome);
  if (outcome.kind === 'result')
    throw new TypeError('the worker answered a request with the result of a method');
  const status = Number(/^AD\.([1-5]\d\d)$/.exec(outcome.icode)?.[1] ?? 200);
  const hasBody = status !== 204 && outcome.body.text.length > 0;
  return {
    status,
    headers: { ...passedHeaders(outcome.headers), ...(hasBody && typeOf(outcome)) },
    body: bufferOf(hasBody ? outcome.body.text : ''),
  };
}

/** Returns the Problem for a reply that stays in the worker. */
export function tooLarge({ maxBytes }: GenericOutcome & { kind: 'too-large' }): Problem {
  return new Problem('upstream_too_large', `the reply is larger than ${maxBytes} bytes`);
}

/** Returns the reply of the orchestrator to a failed request. Throws a Problem if the orchestrator gave no reply. */
export function errorReply(outcome: GenericOutcome & { kind: 'error' }): UpstreamReply {
  const { code = 0, icode, body } = outcome;
  if (code >= 300 && code <= 599)
    return {
      status: code,
      headers: { 'content-type': body?.isJson ? 'application/json' : 'text/plain' },
      body: bufferOf(body?.text ?? ''),
    };
  const problemCode = problemCodeOf(icode, code);
  const advice = WITHOUT_REPLY.has(problemCode) && { advice: 'Read the words of the adapter in "detail".' };
  throw new Problem(problemCode, reportOf(outcome), { ...advice });
}

/** Returns the error in the words of the adapter. */
export function reportOf({ icode, message }: GenericOutcome & { kind: 'error' }): string {
  return `the adapter reports ${icode}: ${message}`;
}

/** Codes whose usual recommendation names members that a Problem without a reply lacks. */
const WITHOUT_REPLY: ReadonlySet<ProblemCode> = new Set(['upstream_failed', 'invalid_request']);

/** Problem codes of the catalog's errors that are more specific than `upstream_failed`. */
const PROBLEM_CODES: Readonly<Record<string, ProblemCode>> = {
  'AD.300': 'invalid_request',
  'AD.400': 'upstream_auth',
  'AD.402': 'upstream_auth',
  'AD.501': 'upstream_timeout',
  'AD.502': 'upstream_unreachable',
  'AD.600': 'adapter_unavailable',
};

/** Returns the code of the Problem. A negative number encodes why a call without a response failed. */
export function problemCodeOf(icode: string, code: number): ProblemCode {
  if (code === -2) return 'upstream_timeout';
  if (code === -1) return 'upstream_unreachable';
  return PROBLEM_CODES[icode] ?? 'upstream_failed';
}

/** Headers of one connection, and of the body encoding, which the adapter has already decoded. */
const DROPPED_HEADERS =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-(?:length|encoding|type)|set-cookie)$/i;

function passedHeaders(headers: Readonly<Record<string, unknown>>): UpstreamReply['headers'] {
  const passed = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !DROPPED_HEADERS.test(entry[0]),
  );
  return Object.fromEntries(passed.map(([name, value]) => [name.toLowerCase(), value]));
}

function typeOf({ headers, body }: { headers: Readonly<Record<string, unknown>>; body: GenericBody }): {
  'content-type': string;
} {
  const given = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const isOfKind = typeof given === 'string' && /[/+]json\b/i.test(given) === body.isJson;
  return { 'content-type': isOfKind ? given : body.isJson ? 'application/json' : 'text/plain' };
}
