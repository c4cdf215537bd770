import type { CallFailure, IssueCode, MonitoringIssue } from '../../core/issue.js';
import { keyOfFailure, type MainFailure } from '../traffic/main-failure.js';
import type { CallerCounts } from '../traffic/traffic.js';
import type { AdapterSignals } from './adapter-status.js';

/** An issue without its start time. */
export type NewIssue = Omit<MonitoringIssue, 'since' | 'id'> & {
  /** Identifies the issue while its numbers change and adapters join or leave it. */
  readonly key: string;
};

/** Minimum call rate for an error rate to count. */
const MIN_CALLS_PER_MINUTE = 2;
/** Error rate from which an issue is a danger. */
const DANGER_ERROR_RATE = 0.5;
/** Kinds of failing calls, and the rates from which they are an issue: a status such as 404 is part of ordinary work. */
const FAILED = {
  code: 'calls-failing',
  kind: 'failed',
  counts: 'errors',
  verb: 'fail',
  minRate: 0.1,
} as const;
const REJECTED = {
  code: 'calls-rejected',
  kind: 'rejected',
  counts: 'clientErrors',
  verb: 'are rejected',
  minRate: 0.5,
} as const;

/** The issue of one adapter, and what it has in common with the same issue of other adapters. */
interface AdapterIssue {
  readonly adapter: AdapterSignals;
  readonly code: IssueCode;
  readonly severity: MonitoringIssue['severity'];
  readonly cause: string;
  /** The cause without host and port; adapters with the same one are grouped. */
  readonly generalCause: string;
  /** Absent if the calls are not the issue. */
  readonly failing?: typeof FAILED | typeof REJECTED | undefined;
  /** What most failed calls have in common. */
  readonly failure?: CallFailure | undefined;
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
export function adapterIssuesOf(
  adapters: readonly AdapterSignals[],
  failureOf: MainFailure = () => undefined,
): readonly NewIssue[] {
  const groups = new Map<string, AdapterIssue[]>();
  for (const issue of adapters.flatMap((adapter) => adapterIssueOf(adapter, failureOf) ?? [])) {
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
  const { code, adapter, failure = null } = first;
  const names = group.map(({ adapter: { name } }) => name);
  const failedCalls = group.reduce((sum, { adapter: { traffic } }) => sum + traffic.errorsPerMinute, 0);
  return {
    key: keyOf(first),
    severity: group.some(({ severity }) => severity === 'danger') ? 'danger' : 'warning',
    code,
    title: failure?.status ? failureTitle(failure, names) : adapterIssueTitle(code, names),
    cause: causeOfGroup(group),
    about: { kind: 'adapter', name: names.length === 1 ? adapter.name : '' },
    adapters: names,
    failedCallsPerMinute: Math.round(failedCalls * 10) / 10,
    failure,
    hitCallers: [],
    hitCallersLeft: 0,
    cachedSecrets: 0,
    lostSecrets: 0,
    until: null,
  };
}

function causeOfGroup(group: readonly AdapterIssue[]): string {
  const { cause = '', generalCause = '', failing, failure } = group[0] ?? {};
  if (!failing) return group.every((issue) => issue.cause === cause) ? cause : generalCause;
  const sumOf = (name: keyof CallerCounts): number =>
    group.reduce((sum, { adapter: { traffic } }) => sum + traffic[name], 0);
  const share = `${Math.round((100 * sumOf(failing.counts)) / sumOf('calls'))} of 100 calls ${failing.verb}`;
  return failure?.status === null && failure.reason !== '' ? `${share}: ${failure.reason}` : share;
}

/** Returns "10 adapters: nso1.example.com answers 500 (database is locked)". */
function failureTitle({ status, host, reason }: CallFailure, names: readonly string[]): string {
  const subject = names.length === 1 ? names[0] : `${names.length} adapters`;
  return `${subject}: ${host} answers ${status}${reason === '' ? '' : ` (${reason})`}`;
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
function adapterIssueOf(adapter: AdapterSignals, failureOf: MainFailure): AdapterIssue | undefined {
  const { state, suspended, connection, breaker, cause, generalCause } = adapter;
  if (state === 'STOPPED' || state === 'STOPPING') return undefined;
  const why = { adapter, cause: cause ?? '', generalCause: generalCause ?? '' };
  if (state === 'DEAD') return { ...why, code: 'adapter-failed', severity: 'danger' };
  const unusableCode = UNUSABLE_CODES[connection];
  if (unusableCode) return { ...why, code: unusableCode, severity: 'danger' };
  if (breaker === 'open') return { ...why, code: 'breaker-open', severity: 'danger' };
  const callIssue = callIssueOf(adapter, failureOf);
  if (callIssue) return callIssue;
  // A suspension is an act of an operator, which the state of the adapter shows.
  return cause === null || suspended !== null
    ? undefined
    : { ...why, code: 'adapter-degraded', severity: 'warning' };
}

/** Returns the issue of an adapter through which many calls fail or are rejected; undefined if few do. */
function callIssueOf(adapter: AdapterSignals, failureOf: MainFailure): AdapterIssue | undefined {
  const { perMinute, calls } = adapter.traffic;
  if (perMinute < MIN_CALLS_PER_MINUTE) return undefined;
  const failing = [FAILED, REJECTED].find(
    ({ counts, minRate }) => adapter.traffic[counts] / calls >= minRate,
  );
  if (!failing) return undefined;
  const { code, counts, kind } = failing;
  const isDanger = counts === 'errors' && adapter.traffic.errors / calls >= DANGER_ERROR_RATE;
  const failure = failureOf(adapter.name, kind);
  // Without a common failure, each adapter is a separate issue.
  const generalCause = failure ? keyOfFailure(failure) : adapter.name;
  return {
    adapter,
    code,
    severity: isDanger ? 'danger' : 'warning',
    cause: '',
    generalCause,
    failing,
    failure,
  };
}
