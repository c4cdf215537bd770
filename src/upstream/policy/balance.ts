import type { AdapterSettings } from '../../domain/adapter-settings.js';
import type { UpstreamReply } from '../../domain/adapter.js';
import { Problem } from '../../domain/problem.js';
import { isOutage, type Send, type SendTo, type Trip } from '../send.js';
import type { Way, Ways } from '../way.js';
import type { Pass, TryOutcome } from './breaker.js';

/** Chooses among base URLs. */
export interface Balancer {
  /** Throws `upstream_suspended` when each of them is left alone. */
  choose(tried: readonly Way[]): Choice;
  /** The latest choice; before the first one, what it is going to be. */
  current(): Way;
}

/** A base URL that admitted a try. */
export interface Choice {
  readonly way: Way;
  readonly pass: Pass;
}

/**
 * Makes a balancer. A base URL that the call was not sent to goes before one that failed it, and one whose breaker is open
 * is passed over.
 */
export function createBalancer(ways: Ways, balance: AdapterSettings['balance']): Balancer {
  let turn = 0;
  let current = ways[0];
  function inOrder(): readonly Way[] {
    if (balance === 'primary' || ways.length === 1) return ways;
    const start = turn % ways.length;
    turn += 1;
    const rotated = [...ways.slice(start), ...ways.slice(0, start)];
    return balance === 'round-robin' ? rotated : rotated.sort((one, other) => one.inFlight - other.inFlight);
  }
  return {
    choose(tried) {
      const order = inOrder();
      const fresh = tried.length === 0 ? order : order.filter((way) => !tried.includes(way));
      const choice = firstOpen(fresh) ?? firstOpen(order);
      if (!choice) throw suspended(ways);
      current = choice.way;
      return choice;
    },
    current: () => current,
  };
}

function firstOpen(ways: readonly Way[]): Choice | undefined {
  for (const way of ways) {
    const pass = way.breaker.admit();
    if (pass) return { way, pass };
  }
  return undefined;
}

function suspended(ways: Ways): Problem {
  const seconds = Math.ceil(Math.min(...ways.map(({ breaker }) => breaker.waitMs())) / 1000);
  const detail = 'the orchestrator failed several times in a row and is left alone for now';
  return new Problem('upstream_suspended', detail, {
    headers: { 'retry-after': String(Math.max(1, seconds)) },
  });
}

/** Sends to the base URL whose turn it is, and tells its breaker how that went. */
export function toBaseUrl(balancer: Balancer, next: SendTo): Send {
  return async (trip) => {
    const { way, pass } = balancer.choose(trip.tried);
    trip.tried.push(way);
    way.inFlight += 1;
    let outcome: TryOutcome = 'neither';
    try {
      const reply = await next(trip, way);
      outcome = outcomeOfReply(reply);
      return reply;
    } catch (error) {
      outcome = outcomeOfError(error, trip);
      throw error;
    } finally {
      way.inFlight -= 1;
      pass.end(outcome);
    }
  };
}

/** Statuses of a server, or of what stands in front of it, that cannot serve anybody. */
const OUT_OF_SERVICE: ReadonlySet<number> = new Set([502, 503, 504]);

/** What a reply says about its sender; a 500 may be the fault of one request alone. */
export function outcomeOfReply({ status }: Pick<UpstreamReply, 'status'>): TryOutcome {
  return OUT_OF_SERVICE.has(status) ? 'failed' : 'worked';
}

/** What a failure says about the other side: nothing when it was the caller, or the host itself. */
export function outcomeOfError(error: unknown, { deadline }: Pick<Trip, 'deadline'>): TryOutcome {
  // The deadline has its own say: the reason of a request that ended with it is the deadline's.
  const problem: unknown = deadline.reason ?? error;
  return problem instanceof Problem && isOutage(problem) ? 'failed' : 'neither';
}
