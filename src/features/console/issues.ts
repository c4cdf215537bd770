import { createHash } from 'node:crypto';
import type { Fault } from '../../core/fault.js';
import type { MonitoringIssue } from '../../core/issue.js';
import { andMoreErrors } from '../../core/problem.js';
import type { Clock } from '../../lib/clock.js';
import { describeVault, type VaultView } from '../../secrets/condition.js';
import type { MainFailure } from '../traffic/main-failure.js';
import { adapterIssuesOf, type NewIssue } from './adapter-issues.js';
import type { AdapterSignals } from './adapter-status.js';

/** State of the server from which its issues are derived. */
export interface ServerSignals {
  /** Faults for which the configuration on disk was refused. */
  readonly refusal: readonly Fault[];
  /** What the secrets in use say about Vault; absent if no Vault is configured. */
  readonly vault?: VaultView;
  /**
   * Reason why an earlier version of the main file is still in use; absent if the current version is in use.
   */
  readonly outdatedMain?: string;
  /** Services that do not work, with the reason; empty if they were not probed. */
  readonly down?: readonly Outage[];
  /** Finds what the failed calls of an adapter have in common. */
  readonly failureOf?: MainFailure;
}

/** A service that does not work. */
export interface Outage {
  readonly service: keyof typeof SERVICE_ISSUES;
  readonly reason: string | undefined;
}

/** Returns all issues that need an operator: those of the server before those of its adapters, the most severe first. */
export function issuesOf(adapters: readonly AdapterSignals[], signals: ServerSignals): readonly NewIssue[] {
  return [...worstFirst(serverIssues(signals)), ...worstFirst(adapterIssuesOf(adapters, signals.failureOf))];
}

function worstFirst(issues: readonly NewIssue[]): readonly NewIssue[] {
  return [
    ...issues.filter(({ severity }) => severity === 'danger'),
    ...issues.filter(({ severity }) => severity === 'warning'),
  ];
}

/** Creates a function that adds the start time to issues. The function forgets issues that have ended. */
export function createIssueHistory(clock: Clock): (issues: readonly NewIssue[]) => {
  readonly issues: readonly MonitoringIssue[];
  readonly isChanged: boolean;
} {
  let known = new Map<string, { readonly since: number; readonly adapters: string }>();
  return (issues) => {
    const now = Math.floor(clock.now());
    const before = known;
    known = new Map(
      issues.map(({ key, adapters }) => [
        key,
        { since: before.get(key)?.since ?? now, adapters: adapters.join(' ') },
      ]),
    );
    const isChanged =
      known.size !== before.size ||
      [...known].some(([key, { adapters }]) => before.get(key)?.adapters !== adapters);
    return {
      issues: issues.map(({ key, ...issue }) => ({
        ...issue,
        id: issueId(key),
        since: known.get(key)?.since ?? now,
      })),
      isChanged,
    };
  };
}

/** Returns the id of an issue: a digest of its key, which may contain words of an orchestrator. */
function issueId(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

function serverIssues(signals: ServerSignals): readonly NewIssue[] {
  const { refusal, outdatedMain, down = [] } = signals;
  const configuration = { kind: 'configuration', name: '' } as const;
  const [first] = refusal;
  return [
    ...down.map(({ service, reason }) => ({
      ...SERVICE_ISSUES[service],
      ...(reason !== undefined && { cause: reason }),
    })),
    ...vaultIssues(signals),
    ...(first
      ? [
          warning({
            code: 'configuration-refused',
            title: 'The configuration on disk was refused',
            cause: refusalText(first, refusal.length),
            about: configuration,
          }),
        ]
      : []),
    ...(outdatedMain === undefined
      ? []
      : [
          warning({
            code: 'settings-outdated',
            title: 'Earlier settings are still in use',
            cause: outdatedMain,
            about: configuration,
          }),
        ]),
  ];
}

const VAULT_CODES = {
  sealed: 'vault-sealed',
  unreachable: 'vault-unreachable',
  'login refused': 'vault-login-refused',
  'login failing': 'vault-login-failing',
  'rate limited': 'vault-rate-limited',
  degraded: 'vault-degraded',
} as const;

/** Returns the issue of Vault. The component that needs a missing secret reports it. */
function vaultIssues({ vault }: ServerSignals): readonly NewIssue[] {
  if (!vault || vault.condition === 'connected') return [];
  const { condition, cachedCount, cachedUntil, lostCount, failure } = vault;
  const issue = {
    code: VAULT_CODES[condition],
    title: describeVault(vault),
    cause: failure ? `${failure.reference}: ${failure.message}` : '',
    about: { kind: 'secret', name: failure && cachedCount + lostCount === 1 ? failure.reference : '' },
    cachedSecrets: cachedCount,
    lostSecrets: lostCount,
    until: cachedUntil === undefined ? null : Math.floor(cachedUntil),
  } as const;
  return [lostCount > 0 ? danger(issue) : warning(issue)];
}

function refusalText({ file, line, pointer, message }: Fault, count: number): string {
  const location = line > 0 ? `${file}:${line}` : file;
  return `${location} ${pointer}: ${message}${andMoreErrors(count - 1)}`;
}

/** Members of an issue that concerns no adapter and no cached secret. */
const NO_ADAPTERS = {
  adapters: [],
  failedCallsPerMinute: 0,
  failure: null,
  hitCallers: [],
  hitCallersLeft: 0,
  cachedSecrets: 0,
  lostSecrets: 0,
  until: null,
} as const;

type ServerIssue = Pick<NewIssue, 'code' | 'title' | 'cause' | 'about'> & Partial<NewIssue>;

function danger(issue: ServerIssue): NewIssue {
  return { key: issue.code, severity: 'danger', ...NO_ADAPTERS, ...issue };
}

function warning(issue: ServerIssue): NewIssue {
  return { key: issue.code, severity: 'warning', ...NO_ADAPTERS, ...issue };
}

/** Issues of the services that the whole server needs. */
const SERVICE_ISSUES = {
  store: danger({
    code: 'store-down',
    title: 'The database does not answer',
    cause: 'forms, profiles and the management of adapters are not available',
    about: { kind: 'service', name: 'store' },
  }),
  audit: danger({
    code: 'audit-stopped',
    title: 'The audit trail cannot be written',
    cause: 'operations that change something are refused',
    about: { kind: 'service', name: 'audit' },
  }),
  certificates: warning({
    code: 'certificate-ends',
    title: 'A certificate has expired or expires soon',
    cause: '',
    about: { kind: 'service', name: 'certificates' },
  }),
} as const;

export function hasIssue(service: string): service is Outage['service'] {
  return service in SERVICE_ISSUES;
}
