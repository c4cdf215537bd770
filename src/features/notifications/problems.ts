import type { MonitoringIssue } from '../../core/issue.js';
import { oneLine } from '../../lib/one-line.js';
import { adapterIssueTitle } from '../console/adapter-issues.js';
import type { ProblemReport, ReportedProblem } from './notification.js';

/** Maximum length of a title and of a cause: a cause may contain words of an orchestrator. */
const MAX_TEXT_LENGTH = 500;

/** Returns an issue of this process as messages show it, with its texts in one line each. */
export function reportedProblem(
  { id, severity, code, title, cause, since, adapters }: MonitoringIssue,
  { host, tagsOf }: { readonly host: string; readonly tagsOf: (adapter: string) => readonly string[] },
): ReportedProblem {
  return {
    id,
    severity,
    code,
    title: oneLine(title, MAX_TEXT_LENGTH),
    cause: oneLine(cause, MAX_TEXT_LENGTH),
    since,
    adapters,
    tags: [...new Set(adapters.flatMap(tagsOf))].sort(),
    servers: [host],
  };
}

/**
 * Returns the problems of all reports, the most severe first. A problem that several processes see is one: with the highest
 * severity, the earliest start and all of its adapters.
 */
export function problemsOf(reports: readonly Pick<ProblemReport, 'problems'>[]): readonly ReportedProblem[] {
  const merged = new Map<string, ReportedProblem>();
  for (const problem of reports.flatMap(({ problems }) => problems)) {
    const known = merged.get(problem.id);
    merged.set(problem.id, known ? mergeProblems(known, problem) : problem);
  }
  const all = [...merged.values()];
  return [
    ...all.filter(({ severity }) => severity === 'danger'),
    ...all.filter(({ severity }) => severity === 'warning'),
  ];
}

function mergeProblems(one: ReportedProblem, other: ReportedProblem): ReportedProblem {
  const adapters = union(one.adapters, other.adapters);
  const hasMore = adapters.length > one.adapters.length;
  return {
    ...one,
    severity: one.severity === 'danger' ? 'danger' : other.severity,
    title: hasMore ? adapterIssueTitle(one.code, adapters) : one.title,
    since: Math.min(one.since, other.since),
    adapters,
    tags: union(one.tags, other.tags),
    servers: union(one.servers ?? [], other.servers ?? []),
  };
}

function union(one: readonly string[], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])].sort();
}
