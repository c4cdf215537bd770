import type { Adapter, UpstreamReply } from '../../core/adapter.js';
import { upstreamErrorOf } from '../../core/decode-reply.js';
import { Problem } from '../../core/problem.js';
import { upstreamErrorKind } from '../../core/upstream-error.js';
import { explainReply, reasonOf } from './explain-reply.js';
import { type Redirect, redirectAdvice } from './redirect-advice.js';

/** Creates the Problem for a query that the orchestrator did not answer with data (wire decision 2). */
export function upstreamProblem(adapter: Adapter, reply: UpstreamReply, redirect?: Redirect): Problem {
  const explanation = explainReply(adapter, reply);
  const { code, status } = upstreamErrorKind(reply.status);
  const location = reply.status < 400 ? redirect?.location : undefined;
  return new Problem(code, explanation?.detail ?? `the orchestrator answered ${reply.status}`, {
    status,
    ...(explanation?.errors && { errors: explanation.errors }),
    ...(explanation && { reason: reasonOf(explanation) }),
    ...(redirect && typeof location === 'string' && { advice: redirectAdvice(redirect.path, location) }),
    upstream: {
      status: reply.status,
      ...(typeof location === 'string' && { location }),
      body: upstreamErrorOf(reply),
    },
  });
}
