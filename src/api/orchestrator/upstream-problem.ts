import type { Adapter, UpstreamErrorInfo, UpstreamReply } from '../../core/adapter.js';
import { Problem } from '../../core/problem.js';
import type { ProblemCode } from '../../core/problem-codes.js';
import { upstreamErrorOf } from '../../core/decode-reply.js';

/** The Problem for a query that the orchestrator did not answer with data (wire decision 2). */
export function refusalOf(adapter: Adapter, reply: UpstreamReply): Problem {
  const complaint = explain(adapter, reply);
  const { code, status } = outcomeOf(reply.status);
  return new Problem(code, complaint?.detail ?? `the orchestrator answered ${reply.status}`, {
    status,
    ...(complaint?.errors && { errors: complaint.errors }),
    upstream: { status: reply.status, body: upstreamErrorOf(reply) },
  });
}

/** A plugin that stumbles over an error must not hide it. */
function explain(adapter: Adapter, reply: UpstreamReply): UpstreamErrorInfo | undefined {
  try {
    return adapter.explain?.(reply);
  } catch {
    return undefined;
  }
}

/** 401, 403 and 407 concern the adapter's own credentials: to the caller they are a failure behind the proxy. */
function outcomeOf(status: number): { readonly code: ProblemCode; readonly status: number } {
  if (status === 401 || status === 403 || status === 407) return { code: 'upstream_auth', status: 502 };
  if (status >= 400 && status < 500) return { code: 'upstream_rejected', status };
  return { code: 'upstream_failed', status: 502 };
}
