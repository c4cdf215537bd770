import { upstreamErrorOf } from '../../src/core/decode-reply.js';
import type { RawJson } from '../../src/core/operation.js';
import { Problem } from '../../src/core/problem.js';
import { upstreamErrorKind } from '../../src/core/transport-failure.js';
import { errorReply, reportOf, tooLarge } from './generic-reply.js';
import { bufferOf, type GenericOutcome } from './messages.js';

/**
 * Returns the result of a method. Throws a Problem with the words of the adapter if the method failed; it contains the reply of
 * the orchestrator, if there is one.
 */
export function resultOf(outcome: GenericOutcome): RawJson {
  if (outcome.kind === 'result') return { rawJson: bufferOf(outcome.json) };
  if (outcome.kind === 'too-large') throw tooLarge(outcome);
  if (outcome.kind !== 'error') throw new TypeError('the worker answered a method with a reply');
  const reply = errorReply(outcome);
  const { code, status } = upstreamErrorKind(reply.status);
  const upstream = { status: reply.status, body: upstreamErrorOf(reply) };
  const report = reportOf(outcome);
  throw new Problem(code, report, { status, reason: report, upstream });
}
