import type { AdapterSettings } from '../../core/adapter-settings.js';
import type { UpstreamReply } from '../../core/adapter.js';
import { Problem } from '../../core/problem.js';
import { isUpstreamFailure, type Send, type SendTo, type UpstreamCall } from '../send.js';
import type { Endpoint, Endpoints } from '../endpoint.js';
import type { BreakerPermit, AttemptResult } from './breaker.js';

/** Chooses among base URLs. */
export interface Balancer {
  /** Throws `upstream_suspended` when each of them is left alone. */
  choose(tried: readonly Endpoint[]): Choice;
  /** The latest choice; before the first one, what it is going to be. */
  current(): Endpoint;
}

/** A base URL that admitted a try. */
export interface Choice {
  readonly endpoint: Endpoint;
  readonly pass: BreakerPermit;
}

/**
 * Makes a balancer. A base URL that the call was not sent to goes before one that failed it, and one whose breaker is open
 * is passed over.
 */
export function createBalancer(endpoints: Endpoints, balance: AdapterSettings['balance']): Balancer {
  let turn = 0;
  let current = endpoints[0];
  function inOrder(): readonly Endpoint[] {
    if (balance === 'primary' || endpoints.length === 1) return endpoints;
    const start = turn % endpoints.length;
    turn += 1;
    const rotated = [...endpoints.slice(start), ...endpoints.slice(0, start)];
    return balance === 'round-robin' ? rotated : rotated.sort((one, other) => one.inFlight - other.inFlight);
  }
  return {
    choose(tried) {
      const order = inOrder();
      const fresh = tried.length === 0 ? order : order.filter((endpoint) => !tried.includes(endpoint));
      const choice = firstOpen(fresh) ?? firstOpen(order);
      if (!choice) throw suspended(endpoints);
      current = choice.endpoint;
      return choice;
    },
    current: () => current,
  };
}

function firstOpen(endpoints: readonly Endpoint[]): Choice | undefined {
  for (const endpoint of endpoints) {
    const pass = endpoint.breaker.admit();
    if (pass) return { endpoint, pass };
  }
  return undefined;
}

function suspended(endpoints: Endpoints): Problem {
  const seconds = Math.ceil(Math.min(...endpoints.map(({ breaker }) => breaker.waitMs())) / 1000);
  const detail = 'the orchestrator failed several times in a row and is left alone for now';
  return new Problem('upstream_suspended', detail, {
    headers: { 'retry-after': String(Math.max(1, seconds)) },
  });
}

/** Sends to the base URL whose turn it is, and tells its breaker how that went. */
export function withLoadBalancing(balancer: Balancer, next: SendTo): Send {
  return async (call) => {
    const { endpoint, pass } = balancer.choose(call.tried);
    call.tried.push(endpoint);
    endpoint.inFlight += 1;
    let outcome: AttemptResult = 'neither';
    try {
      const reply = await next(call, endpoint);
      outcome = outcomeOfReply(reply);
      return reply;
    } catch (error) {
      outcome = outcomeOfError(error, call);
      throw error;
    } finally {
      endpoint.inFlight -= 1;
      pass.end(outcome);
    }
  };
}

/** Statuses of a server, or of what stands in front of it, that cannot serve anybody. */
const OUT_OF_SERVICE: ReadonlySet<number> = new Set([502, 503, 504]);

/** What a reply says about its sender; a 500 may be the fault of one request alone. */
export function outcomeOfReply({ status }: Pick<UpstreamReply, 'status'>): AttemptResult {
  return OUT_OF_SERVICE.has(status) ? 'failed' : 'worked';
}

/** What a failure says about the other side: nothing when it was the caller, or the host itself. */
export function outcomeOfError(error: unknown, { deadline }: Pick<UpstreamCall, 'deadline'>): AttemptResult {
  // The deadline has its own say: the reason of a request that ended with it is the deadline's.
  const problem: unknown = deadline.reason ?? error;
  return problem instanceof Problem && isUpstreamFailure(problem) ? 'failed' : 'neither';
}
