import type { Clock } from '../core/lib/clock.js';
import type { Connection } from '../core/connection.js';
import type { Log } from '../core/log.js';
import { Problem } from '../core/problem.js';
import type { ProblemCode } from '../core/problem-codes.js';
import type { Upstream } from '../core/upstream.js';

/** Notes whether the orchestrator can be reached, from every call and every probe. */
export interface ConnectionNotes {
  readonly state: () => Connection;
  /** The upstream, with each of its calls and probes noted. */
  readonly upstream: Upstream;
}

/** What tells that nobody is there; any reply tells that somebody is. */
const AWAY: ReadonlySet<ProblemCode> = new Set([
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_bad_reply',
]);

/** Notes nothing before the first call or probe: the connection is `UNKNOWN`. */
export function noteConnection(upstream: Upstream, clock: Clock, log: Log): ConnectionNotes {
  let latest: Connection = { state: 'UNKNOWN', since: clock.now() };
  const note = (state: Connection['state'], reason?: string): void => {
    if (latest.state === state) return;
    latest = { state, since: clock.now(), ...(reason !== undefined && { reason }) };
    if (state === 'OFFLINE') log.warn('orchestrator cannot be used', { reason });
    else log.info('orchestrator answers');
  };
  async function noted<T>(work: Promise<T>): Promise<T> {
    try {
      const reply = await work;
      note('ONLINE');
      return reply;
    } catch (error) {
      if (error instanceof Problem && AWAY.has(error.code)) note('OFFLINE', error.message);
      throw error;
    }
  }
  async function probe(ask: NonNullable<Upstream['probe']>, signal: AbortSignal): Promise<void> {
    try {
      await ask(signal);
      note('ONLINE');
    } catch (error) {
      // When the signal has fired, its reason says more than what it led to.
      const cause: unknown = signal.aborted ? signal.reason : error;
      if (!isStopped(cause)) note('OFFLINE', cause instanceof Problem ? cause.message : 'the probe failed');
      throw error;
    }
  }
  const ask = upstream.probe?.bind(upstream);
  const pass = upstream.pass?.bind(upstream);
  return {
    state: () => latest,
    upstream: {
      ...upstream,
      send: (...request) => noted(upstream.send(...request)),
      ...(pass && { pass: (...request) => noted(pass(...request)) }),
      ...(ask && { probe: (signal) => probe(ask, signal) }),
    },
  };
}

/** True when the adapter was closed, which says nothing about its orchestrator. */
function isStopped(cause: unknown): boolean {
  return cause instanceof Problem && cause.code === 'adapter_unavailable';
}
