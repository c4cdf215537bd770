import type { MonitoringIssue } from '../../core/issue.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { RecentCalls } from './recent-calls.js';

/** Age up to which a failed call counts, in milliseconds: as long as the rates of calls reach back. */
const MAX_AGE_MS = 5 * 60_000;
/** Maximum number of listed callers of one problem. */
const MAX_CALLERS = 5;

/** Statuses of failed calls, and of rejected calls. */
const [FAILED, REJECTED] = [
  { min: 500, max: 599 },
  { min: 400, max: 499 },
];

/** Returns the problems with the callers whose calls through their adapters failed, or were rejected, in the latest minutes. */
export function withHitCallers(
  problems: readonly MonitoringIssue[],
  calls: RecentCalls,
  now: number,
): readonly MonitoringIssue[] {
  return problems.map((problem) => {
    if (problem.adapters.length === 0) return problem;
    const statuses = problem.code === 'calls-rejected' ? REJECTED : FAILED;
    const names = callersOf(calls.ended(problem.adapters, now - MAX_AGE_MS, statuses));
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
