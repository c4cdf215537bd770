import type { CallFailure } from '../../core/issue.js';
import type { AnsweredRequest } from '../../core/metric.js';
import { CALL_MAX_AGE_MS, type RecentCalls } from './recent-calls.js';

/** Words that the host puts before those of an orchestrator. */
const ANSWERED = /^the orchestrator answered \d{3}(?:: |$)/;

/** Returns what most of the latest failed, or rejected, calls through an adapter have in common; undefined without such a call. */
export type MainFailure = (adapter: string, kind: 'failed' | 'rejected') => CallFailure | undefined;

/** Creates the function that finds the main failure of an adapter among its latest calls. */
export function createMainFailure(calls: RecentCalls, now: () => number): MainFailure {
  return (adapter, kind) => {
    const groups = new Map<string, { readonly failure: CallFailure; calls: number }>();
    // The latest reason of a group is shown.
    for (const call of calls.ended([adapter], now() - CALL_MAX_AGE_MS, kind)) {
      const failure = failureOf(call);
      const key = keyOfFailure(failure);
      groups.set(key, { failure, calls: (groups.get(key)?.calls ?? 0) + 1 });
    }
    const [main] = [...groups.values()].sort((one, other) => other.calls - one.calls);
    return main?.failure;
  };
}

/** Returns what makes failures equal: the reply, or the code of the problem, and the host. */
export function keyOfFailure({ status, code, host }: CallFailure): string {
  return `${status ?? code} ${host}`;
}

function failureOf({ attempts, code, detail = '' }: AnsweredRequest): CallFailure {
  const attempt = attempts?.at(-1);
  return {
    status: typeof attempt?.outcome === 'number' && attempt.outcome >= 400 ? attempt.outcome : null,
    code,
    host: attempt && URL.canParse(attempt.url) ? new URL(attempt.url).host : '',
    reason: detail.replace(ANSWERED, ''),
  };
}
