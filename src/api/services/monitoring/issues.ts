import type { Clock } from '../../../core/lib/clock.js';
import type { Fault } from '../../../core/fault.js';
import type { MonitoringIssue } from '../../../core/monitoring.js';
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
  /** Why an earlier version of the main file is still in use; absent if the current version is in use. */
  readonly outdatedMain?: string;
  /** False if the database does not answer; absent if it was not probed. */
  readonly isStoreUp?: boolean;
}

/** An issue without its start time. */
export type NewIssue = Omit<MonitoringIssue, 'since'>;

/** Minimum call rate for a meaningful error rate, and the error rates of a warning and of a danger. */
const ENOUGH_PER_MINUTE = 2;
const [MUCH, TOO_MUCH] = [0.1, 0.5];

/** Returns all issues that need an operator, the most severe first. */
export function issuesOf(adapters: readonly AdapterSignals[], signs: ServerSignals): readonly NewIssue[] {
  const all = [...serverTroubles(signs), ...adapters.flatMap((one) => issueOf(one) ?? [])];
  return [
    ...all.filter(({ severity }) => severity === 'danger'),
    ...all.filter(({ severity }) => severity === 'warning'),
  ];
}

/** Creates a function that adds the start time to issues; it forgets issues that have ended. */
export function createTroubleMemory(clock: Clock): (troubles: readonly NewIssue[]) => {
  readonly troubles: readonly MonitoringIssue[];
  readonly isOther: boolean;
} {
  let known = new Map<string, number>();
  return (troubles) => {
    const now = Math.floor(clock.now());
    const before = known;
    known = new Map(troubles.map((one) => [keyOf(one), before.get(keyOf(one)) ?? now]));
    const isOther = known.size !== before.size || [...known.keys()].some((key) => !before.has(key));
    return { troubles: troubles.map((one) => ({ ...one, since: known.get(keyOf(one)) ?? now })), isOther };
  };
}

function keyOf({ title, about }: NewIssue): string {
  return JSON.stringify([title, about.kind, about.name]);
}

function serverTroubles(signs: ServerSignals): readonly NewIssue[] {
  const { refusal, outdatedMain, isStoreUp } = signs;
  const configuration = { kind: 'configuration', name: '' } as const;
  const [first] = refusal;
  return [
    ...(isStoreUp === false ? [STORE_DOWN] : []),
    ...secretTroubles(signs),
    ...(first
      ? [warning('The configuration on disk was refused', refusalText(first, refusal.length), configuration)]
      : []),
    ...(outdatedMain === undefined
      ? []
      : [warning('Settings serve in their former form', outdatedMain, configuration)]),
  ];
}

/** Returns issues of stale and ended secrets. A missing secret is reported by the component that needs it. */
function secretTroubles({ vault, references }: ServerSignals): readonly NewIssue[] {
  if (vault === 'running') return [];
  const failing = references.filter(({ state }) => state === 'stale' || state === 'ended');
  const [first] = failing;
  const more = failing.length > 1 ? ` (and ${failing.length - 1} more references)` : '';
  const why = first ? `${first.reference}: ${first.failure?.message ?? 'it has ended'}${more}` : VAULT_AWAY;
  const about = { kind: 'secret', name: first && more === '' ? first.reference : '' } as const;
  return vault === 'failed'
    ? [danger('Secrets in use have ended or are too old', why, about)]
    : [warning('Secrets in use are not confirmed by Vault', why, about)];
}

const VAULT_AWAY = 'Vault does not answer';
const STORE_DOWN: NewIssue = {
  severity: 'danger',
  title: 'The database does not answer',
  cause: 'forms, profiles and the management of adapters are not available',
  about: { kind: 'service', name: 'store' },
};

function refusalText({ file, line, pointer, message }: Fault, count: number): string {
  const place = line > 0 ? `${file}:${line}` : file;
  return `${place} ${pointer}: ${message}${count > 1 ? ` (and ${count - 1} more)` : ''}`;
}

/** Returns only the most severe issue of an adapter, because the others are its consequences. */
function issueOf(adapter: AdapterSignals): NewIssue | undefined {
  const { name, state, connection, breaker, traffic, cause } = adapter;
  const about = { kind: 'adapter', name } as const;
  const why = cause ?? '';
  if (state === 'DEAD') return danger('The adapter is dead', why, about);
  if (state === 'STOPPED')
    return warning(
      'The adapter is stopped',
      'operators, its configuration or the active profile keep it stopped',
      about,
    );
  if (connection === 'OFFLINE') return danger('The orchestrator cannot be used', why, about);
  if (breaker === 'open') return danger('The breaker is open', why, about);
  const part = traffic.perMinute >= ENOUGH_PER_MINUTE ? traffic.errorsPerMinute / traffic.perMinute : 0;
  if (part >= MUCH) {
    const text = `${Math.round(part * 100)} of 100 calls fail`;
    return (part >= TOO_MUCH ? danger : warning)('Many calls fail', text, about);
  }
  return cause === null ? undefined : warning('The adapter needs care', why, about);
}

type About = MonitoringIssue['about'];

function danger(title: string, cause: string, about: About): NewIssue {
  return { severity: 'danger', title, cause, about };
}

function warning(title: string, cause: string, about: About): NewIssue {
  return { severity: 'warning', title, cause, about };
}
