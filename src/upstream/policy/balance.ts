import type { UpstreamReply } from '../../core/adapter.js';
import { Problem } from '../../core/problem.js';
import type { AdapterSettings } from '../../settings/adapter.js';
import type { Endpoint, Endpoints } from '../endpoint.js';
import { isUpstreamFailure, type UpstreamCall } from '../send.js';
import type { AttemptResult, BreakerPermit } from './breaker.js';

/** Selects a base URL. */
export interface Balancer {
  /**
   * Returns a base URL that admits an attempt. Throws `upstream_suspended` when the breakers of all base URLs
   * are open.
   */
  choose(tried: readonly Endpoint[]): Choice;
  /** Returns the latest choice; before the first call, the first base URL. */
  current(): Endpoint;
}

/** A base URL that admitted an attempt. */
export interface Choice {
  readonly endpoint: Endpoint;
  readonly permit: BreakerPermit;
}

/**
 * Creates a balancer. It prefers base URLs that the call has not tried yet, and skips those with an open
 * breaker.
 */
export function createBalancer(endpoints: Endpoints, balance: AdapterSettings['balance']): Balancer {
  let turn = 0;
  let current = endpoints[0];
  function inOrder(): readonly Endpoint[] {
    if (balance === 'primary' || endpoints.length === 1) return endpoints;
    const start = turn % endpoints.length;
    turn += 1;
    const rotated = [...endpoints.slice(start), ...endpoints.slice(0, start)];
    return balance === 'round-robin'
      ? rotated
      : rotated.sort((first, second) => first.inFlight - second.inFlight);
  }
  return {
    choose(tried) {
      const order = inOrder();
      const untried = tried.length === 0 ? order : order.filter((endpoint) => !tried.includes(endpoint));
      const choice = firstAdmitting(untried) ?? firstAdmitting(order);
      if (!choice) throw suspended(endpoints);
      current = choice.endpoint;
      return choice;
    },
    current: () => current,
  };
}

function firstAdmitting(endpoints: readonly Endpoint[]): Choice | undefined {
  for (const endpoint of endpoints) {
    const permit = endpoint.breaker.admit();
    if (permit) return { endpoint, permit };
  }
  return undefined;
}

function suspended(endpoints: Endpoints): Problem {
  const seconds = Math.ceil(Math.min(...endpoints.map(({ breaker }) => breaker.waitMs())) / 1000);
  const detail = 'the orchestrator failed several times in a row, so no requests are sent to it for now';
  return new Problem('upstream_suspended', detail, {
    headers: { 'retry-after': String(Math.max(1, seconds)) },
  });
}

/** Statuses of a server, or of a proxy in front of it, that cannot serve any request. */
const OUT_OF_SERVICE: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Returns the attempt result for a reply. A 500 counts as `worked`, because it may concern a single request.
 */
export function resultOfReply({ status }: Pick<UpstreamReply, 'status'>): AttemptResult {
  return OUT_OF_SERVICE.has(status) ? 'failed' : 'worked';
}

/** Returns the attempt result for a failure: `neither` if the caller or this server caused it. */
export function resultOfError(error: unknown, { deadline }: UpstreamCall): AttemptResult {
  // A connection that fails says the same whether or not its caller has waited.
  const failedToConnect = deadline.phase === 'connecting' && error instanceof Problem;
  // Otherwise, after the deadline has ended, its reason takes precedence over the error of the request.
  return resultOfFailure(failedToConnect ? error : (deadline.reason ?? error));
}

/** Returns `failed` for a failure of the orchestrator or of the network. */
function resultOfFailure(error: unknown): AttemptResult {
  return error instanceof Problem && isUpstreamFailure(error) ? 'failed' : 'neither';
}

/**
 * Ends the permit of an attempt. If the caller left while the attempt waited for a login, the permit ends with the login: a login
 * that fails says the same whether or not its caller has waited.
 */
export function endAttempt(
  permit: BreakerPermit,
  result: AttemptResult,
  login: Promise<unknown> | undefined,
): void {
  if (result !== 'neither' || !login) {
    permit.end(result);
    return;
  }
  login.then(
    () => {
      permit.end('neither');
    },
    (error: unknown) => {
      permit.end(resultOfFailure(error));
    },
  );
}
