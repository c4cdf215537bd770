import type { IssueCode, MonitoringIssue } from '../../core/issue.js';
import type { AdapterSignals } from './adapter-status.js';

/** An issue without its start time. */
export type NewIssue = Omit<MonitoringIssue, 'since' | 'id'> & {
  /** Identifies the issue while its numbers change and adapters join or leave it. */
  readonly key: string;
};

/** Minimum call rate for an error rate to count. */
const MIN_CALLS_PER_MINUTE = 2;
/** Error rates from which an issue is a warning, and a danger. */
const [WARNING_ERROR_RATE, DANGER_ERROR_RATE] = [0.1, 0.5];
/** Rate of rejected calls from which they are an issue: a status such as 404 is part of ordinary work. */
const REJECTED_RATE = 0.5;

/** The issue of one adapter, and what it has in common with the same issue of other adapters. */
interface AdapterIssue {
  readonly adapter: AdapterSignals;
  readonly code: IssueCode;
  readonly severity: MonitoringIssue['severity'];
  readonly cause: string;
  /** The cause without host and port; adapters with the same one are grouped. */
  readonly generalCause: string;
}

const TITLES: Readonly<Partial<Record<IssueCode, { readonly one: string; readonly many: string }>>> = {
  'adapter-failed': { one: 'cannot start', many: 'adapters cannot start' },
  'adapter-unreachable': { one: 'is unreachable', many: 'adapters are unreachable' },
  'adapter-login-refused': {
    one: 'cannot log in to its orchestrator',
    many: 'adapters cannot log in to their orchestrators',
  },
  'breaker-open': { one: 'has an open circuit breaker', many: 'adapters have an open circuit breaker' },
  'calls-failing': { one: 'has many failed calls', many: 'adapters have many failed calls' },
  'calls-rejected': { one: 'has many rejected calls', many: 'adapters have many rejected calls' },
  'adapter-degraded': { one: 'does not work fully', many: 'adapters do not work fully' },
};

/** Returns one issue for all adapters that fail by the same cause. A stopped adapter is not an issue. */
export function adapterIssuesOf(adapters: readonly AdapterSignals[]): readonly NewIssue[] {
  const groups = new Map<string, AdapterIssue[]>();
  for (const issue of adapters.flatMap((adapter) => adapterIssueOf(adapter) ?? [])) {
    const key = keyOf(issue);
    const group = groups.get(key);
    if (group) group.push(issue);
    else groups.set(key, [issue]);
  }
  return [...groups.values()].map(groupedIssue);
}

function keyOf({ code, generalCause }: AdapterIssue): string {
  return `${code} ${generalCause}`;
}

function groupedIssue(group: readonly AdapterIssue[]): NewIssue {
  const [first] = group;
  if (!first) throw new Error('a group of issues has at least one adapter');
  const { severity, code, cause, generalCause, adapter } = first;
  const names = group.map(({ adapter: { name } }) => name);
  const failedCalls = group.reduce((sum, { adapter: { traffic } }) => sum + traffic.errorsPerMinute, 0);
  return {
    key: keyOf(first),
    severity,
    code,
    title: adapterIssueTitle(code, names),
    cause: group.every((issue) => issue.cause === cause) ? cause : generalCause,
    about: { kind: 'adapter', name: names.length === 1 ? adapter.name : '' },
    adapters: names,
    failedCallsPerMinute: Math.round(failedCalls * 10) / 10,
    hitCallers: [],
    hitCallersLeft: 0,
    cachedSecrets: 0,
    lostSecrets: 0,
    until: null,
  };
}

export function adapterIssueTitle(code: IssueCode, names: readonly string[]): string {
  const [first = ''] = names;
  const title = TITLES[code];
  return names.length === 1 ? `${first} ${title?.one ?? ''}` : `${names.length} ${title?.many ?? ''}`;
}

const UNUSABLE_CODES: Readonly<Partial<Record<AdapterSignals['connection'], IssueCode>>> = {
  OFFLINE: 'adapter-unreachable',
  LOGIN_REFUSED: 'adapter-login-refused',
};

/** Returns the most severe issue of an adapter. Other issues are usually its consequences. */
function adapterIssueOf(adapter: AdapterSignals): AdapterIssue | undefined {
  const { state, suspended, connection, breaker, cause, generalCause } = adapter;
  if (state === 'STOPPED' || state === 'STOPPING') return undefined;
  const why = { adapter, cause: cause ?? '', generalCause: generalCause ?? '' };
  if (state === 'DEAD') return { ...why, code: 'adapter-failed', severity: 'danger' };
  const unusableCode = UNUSABLE_CODES[connection];
  if (unusableCode) return { ...why, code: unusableCode, severity: 'danger' };
  if (breaker === 'open') return { ...why, code: 'breaker-open', severity: 'danger' };
  const failing = failingCallsOf(adapter);
  if (failing) return failing;
  const rejected = rejectedCallsOf(adapter);
  if (rejected) return rejected;
  // A suspension is an act of an operator, which the state of the adapter shows.
  return cause === null || suspended !== null
    ? undefined
    : { ...why, code: 'adapter-degraded', severity: 'warning' };
}

/** Returns the issue of an adapter through which many calls fail; undefined if few do. */
function failingCallsOf(adapter: AdapterSignals): AdapterIssue | undefined {
  const { perMinute, calls, errors } = adapter.traffic;
  const errorRate = perMinute >= MIN_CALLS_PER_MINUTE ? errors / calls : 0;
  if (errorRate < WARNING_ERROR_RATE) return undefined;
  const cause = `${Math.round(errorRate * 100)} of 100 calls fail`;
  const severity = errorRate >= DANGER_ERROR_RATE ? 'danger' : 'warning';
  // Many failed calls have no common cause, so each adapter is a separate issue.
  return { adapter, cause, generalCause: adapter.name, code: 'calls-failing', severity };
}

/** Returns the issue of an adapter through which most calls end with a status of 400 to 499; undefined if few do. */
function rejectedCallsOf(adapter: AdapterSignals): AdapterIssue | undefined {
  const { perMinute, calls, clientErrors } = adapter.traffic;
  const rejectedRate = perMinute >= MIN_CALLS_PER_MINUTE ? clientErrors / calls : 0;
  if (rejectedRate < REJECTED_RATE) return undefined;
  const cause = `${Math.round(rejectedRate * 100)} of 100 calls are rejected`;
  return { adapter, cause, generalCause: adapter.name, code: 'calls-rejected', severity: 'warning' };
}
