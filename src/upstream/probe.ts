import type { OutboundRequest, UpstreamReply } from '../core/adapter.js';
import { Problem, refusedCredentials } from '../core/problem.js';
import type { Upstream } from '../core/upstream.js';
import type { Scheduler } from '../lib/clock.js';
import { withDeadline } from './deadline.js';
import type { Endpoint, Endpoints } from './endpoint.js';
import { resultOfReply } from './policy/balance.js';
import { createCall, isUpstreamFailure, type Send } from './send.js';

/** Request and time limit of a probe. */
interface ProbeTerms {
  readonly request: OutboundRequest;
  /** Absolute URL of the request below the first base URL. */
  readonly url: string;
  readonly totalMs: number;
  readonly scheduler: Scheduler;
}

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 407]);

/**
 * Creates the health probe of an adapter. It requests all base URLs at once, bypasses queue, breaker and
 * retries, and reports each result to the breaker. Returns the lowest status. Throws the last Problem when every base URL answers with
 * 500 or above, refuses the credentials, or fails.
 */
export function createProbe(
  endpoints: Endpoints,
  terms: ProbeTerms,
  send: Send,
): NonNullable<Upstream['probe']> {
  return async (signal, fixedHeaders) => {
    const request = { ...terms.request, headers: { ...terms.request.headers, ...fixedHeaders } };
    const results = await Promise.allSettled(
      endpoints.map(async (endpoint) =>
        checkedStatus(await probeEndpoint(endpoint, { ...terms, request, signal }, send)),
      ),
    );
    const statuses = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (statuses.length > 0) return Math.min(...statuses);
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as Problem] : [],
    );
    throw failures.at(-1) ?? new Problem('upstream_failed', 'no base URL');
  };
}

/** Requests one base URL and reports the result to its breaker. */
async function probeEndpoint(
  endpoint: Endpoint,
  { request, url, totalMs, scheduler, signal }: ProbeTerms & { readonly signal: AbortSignal },
  send: Send,
): Promise<UpstreamReply> {
  try {
    const terms = { totalMs, scheduler, caller: signal };
    const reply = await withDeadline(terms, (deadline) =>
      send(createCall({ request, url, deadline, endpoint })),
    );
    endpoint.breaker.report(resultOfReply(reply) === 'failed' ? 'failed' : 'worked');
    return reply;
  } catch (error) {
    if (error instanceof Problem && isUpstreamFailure(error)) endpoint.breaker.report('failed');
    throw error;
  }
}

/** Returns the status of a reply of the health path. Throws a Problem if the orchestrator cannot be used. */
function checkedStatus({ status }: UpstreamReply): number {
  const detail = `answered the health path with status ${status}`;
  if (REFUSALS.has(status)) throw new Problem('upstream_auth', refusedCredentials(detail));
  if (status >= 500) throw new Problem('upstream_failed', `the orchestrator ${detail}`);
  return status;
}
