import type { Fault } from '../../../core/fault.js';
import type { Clock } from '../../../core/lib/clock.js';
import type { MonitoringIssue } from '../../../core/monitoring.js';
import { andMoreErrors } from '../../../core/problem.js';
import type { SecretInUse } from '../../../vault/open-secrets.js';
import type { AdapterSignals } from './adapter-status.js';

/** State of the server from which its issues are derived. */
export interface ServerSignals {
  /** Faults for which the configuration on disk was refused. */
  readonly refusal: readonly Fault[];
  /** State of the secrets. */
  readonly vault: 'running' | 'degraded' | 'failed';
  /** References in use; some may have no value, or a value that Vault does not confirm. */
  readonly references: readonly Pick<SecretInUse, 'reference' | 'state' | 'failure'>[];
  /**
   * Reason why an earlier version of the main file is still in use; absent if the current version is in use.
   */
  readonly outdatedMain?: string;
  /** False if the database does not answer; absent if it was not probed. */
  readonly isStoreUp?: boolean;
}

/** An issue without its start time. */
export type NewIssue = Omit<MonitoringIssue, 'since'>;

/** Minimum call rate for an error rate to count. */
const MIN_CALLS_PER_MINUTE = 2;
/** Error rates from which an issue is a warning, and a danger. */
const [WARNING_ERROR_RATE, DANGER_ERROR_RATE] = [0.1, 0.5];

/** Returns all issues that need an operator, the most severe first. */
export function issuesOf(adapters: readonly AdapterSignals[], signals: ServerSignals): readonly NewIssue[] {
  const all = [...serverIssues(signals), ...adapters.flatMap((adapter) => adapterIssueOf(adapter) ?? [])];
  return [
    ...all.filter(({ severity }) => severity === 'danger'),
    ...all.filter(({ severity }) => severity === 'warning'),
  ];
}

/** Creates a function that adds the start time to issues. The function forgets issues that have ended. */
export function createIssueHistory(clock: Clock): (issues: readonly NewIssue[]) => {
  readonly issues: readonly MonitoringIssue[];
  readonly isChanged: boolean;
} {
  let known = new Map<string, number>();
  return (issues) => {
    const now = Math.floor(clock.now());
    const before = known;
    known = new Map(issues.map((issue) => [issueKeyOf(issue), before.get(issueKeyOf(issue)) ?? now]));
    const isChanged = known.size !== before.size || [...known.keys()].some((key) => !before.has(key));
    return {
      issues: issues.map((issue) => ({ ...issue, since: known.get(issueKeyOf(issue)) ?? now })),
      isChanged,
    };
  };
}

function issueKeyOf({ title, about }: NewIssue): string {
  return JSON.stringify([title, about.kind, about.name]);
}

function serverIssues(signals: ServerSignals): readonly NewIssue[] {
  const { refusal, outdatedMain, isStoreUp } = signals;
  const configuration = { kind: 'configuration', name: '' } as const;
  const [first] = refusal;
  return [
    ...(isStoreUp === false ? [STORE_DOWN] : []),
    ...secretIssues(signals),
    ...(first
      ? [warning('The configuration on disk was refused', refusalText(first, refusal.length), configuration)]
      : []),
    ...(outdatedMain === undefined
      ? []
      : [warning('Earlier settings are still in use', outdatedMain, configuration)]),
  ];
}

/** Returns the issue of stale and expired secrets. The component that needs a missing secret reports it. */
function secretIssues({ vault, references }: ServerSignals): readonly NewIssue[] {
  if (vault === 'running') return [];
  const failing = references.filter(({ state }) => state === 'stale' || state === 'ended');
  const [first] = failing;
  const more = failing.length > 1 ? ` (and ${failing.length - 1} more references)` : '';
  const why = first ? `${first.reference}: ${first.failure?.message ?? 'it has expired'}${more}` : VAULT_DOWN;
  const about = { kind: 'secret', name: first && more === '' ? first.reference : '' } as const;
  return vault === 'failed'
    ? [danger('Secrets in use have expired or are too old', why, about)]
    : [warning('Secrets in use are not confirmed by Vault', why, about)];
}

const VAULT_DOWN = 'Vault does not answer';
const STORE_DOWN: NewIssue = {
  severity: 'danger',
  title: 'The database does not answer',
  cause: 'forms, profiles and the management of adapters are not available',
  about: { kind: 'service', name: 'store' },
};

function refusalText({ file, line, pointer, message }: Fault, count: number): string {
  const location = line > 0 ? `${file}:${line}` : file;
  return `${location} ${pointer}: ${message}${andMoreErrors(count - 1)}`;
}

/** Returns the most severe issue of an adapter. Other issues are usually its consequences. */
function adapterIssueOf(adapter: AdapterSignals): NewIssue | undefined {
  const { name, state, connection, breaker, traffic, cause } = adapter;
  const about = { kind: 'adapter', name } as const;
  const why = cause ?? '';
  if (state === 'DEAD') return danger('The adapter is dead', why, about);
  if (state === 'STOPPED') return warning('The adapter is stopped', why, about);
  if (connection === 'OFFLINE') return danger('The orchestrator cannot be used', why, about);
  if (breaker === 'open') return danger('The breaker is open', why, about);
  const errorRate =
    traffic.perMinute >= MIN_CALLS_PER_MINUTE ? traffic.errorsPerMinute / traffic.perMinute : 0;
  if (errorRate >= WARNING_ERROR_RATE) {
    const text = `${Math.round(errorRate * 100)} of 100 calls fail`;
    return (errorRate >= DANGER_ERROR_RATE ? danger : warning)('Many calls fail', text, about);
  }
  return cause === null ? undefined : warning('The adapter does not work fully', why, about);
}

type Subject = MonitoringIssue['about'];

function danger(title: string, cause: string, about: Subject): NewIssue {
  return { severity: 'danger', title, cause, about };
}

function warning(title: string, cause: string, about: Subject): NewIssue {
  return { severity: 'warning', title, cause, about };
}
