import { createHash } from 'node:crypto';
import type { Fault } from '../../core/fault.js';
import type { MonitoringIssue } from '../../core/issue.js';
import { andMoreErrors } from '../../core/problem.js';
import type { Clock } from '../../lib/clock.js';
import { describeVault, type VaultView } from '../../secrets/condition.js';
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
  /** False if the database does not answer; absent if it was not probed. */
  readonly isStoreUp?: boolean;
}

/** Returns all issues that need an operator, the most severe first. */
export function issuesOf(adapters: readonly AdapterSignals[], signals: ServerSignals): readonly NewIssue[] {
  const all = [...serverIssues(signals), ...adapterIssuesOf(adapters)];
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
  const { refusal, outdatedMain, isStoreUp } = signals;
  const configuration = { kind: 'configuration', name: '' } as const;
  const [first] = refusal;
  return [
    ...(isStoreUp === false ? [STORE_DOWN] : []),
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

const STORE_DOWN = danger({
  code: 'store-down',
  title: 'The database does not answer',
  cause: 'forms, profiles and the management of adapters are not available',
  about: { kind: 'service', name: 'store' },
});
