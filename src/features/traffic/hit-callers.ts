import type { MonitoringIssue } from '../../core/issue.js';
import type { AnsweredRequest } from '../../core/metric.js';
import { CALL_MAX_AGE_MS, type RecentCalls } from './recent-calls.js';

/** Maximum number of listed callers of one problem. */
const MAX_CALLERS = 5;

/** Returns the problems with the callers whose calls through their adapters failed, or were rejected, in the latest minutes. */
export function withHitCallers(
  problems: readonly MonitoringIssue[],
  calls: RecentCalls,
  now: number,
): readonly MonitoringIssue[] {
  return problems.map((problem) => {
    if (problem.adapters.length === 0) return problem;
    const kind = problem.code === 'calls-rejected' ? 'rejected' : 'failed';
    const names = callersOf(calls.ended(problem.adapters, now - CALL_MAX_AGE_MS, kind));
    return {
      ...problem,
      hitCallers: names.slice(0, MAX_CALLERS),
      hitCallersLeft: Math.max(0, names.length - MAX_CALLERS),
    };
  });
}

/** Returns the callers by the number of their calls, the highest first. Two issuers may have the same subject. */
function callersOf(calls: readonly AnsweredRequest[]): readonly string[] {
  const counts = new Map<string, { readonly name: string; calls: number }>();
  for (const { issuer = '', caller, callerName } of calls) {
    const key = `${issuer}\n${caller}`;
    const count = counts.get(key) ?? { name: callerName ?? caller, calls: 0 };
    count.calls += 1;
    counts.set(key, count);
  }
  const ordered = [...counts.values()].sort((one, other) => other.calls - one.calls);
  return ordered.map(({ name }) => name);
}
