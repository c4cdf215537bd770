/**
 * Kind of an issue, from which pages form their text. The kinds `vault-*` name the condition of Vault.
 */
export const ISSUE_CODES = [
  ...([
    'adapter-failed',
    'adapter-unreachable',
    'adapter-login-refused',
    'breaker-open',
    'calls-failing',
    'calls-rejected',
    'adapter-degraded',
  ] as const),
  ...(['vault-sealed', 'vault-unreachable'] as const),
  ...(['vault-login-refused', 'vault-login-failing', 'vault-rate-limited', 'vault-degraded'] as const),
  ...(['store-down', 'audit-stopped', 'certificate-ends'] as const),
  ...(['configuration-refused', 'settings-outdated'] as const),
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/** What the failed calls of an issue have in common. */
export interface CallFailure {
  /** Status of 400 or above that the orchestrator answered; null without one. */
  readonly status: number | null;
  readonly code: string;
  /** Host and port of the orchestrator; empty if the calls did not reach it. */
  readonly host: string;
  /** Words of the orchestrator, or of the Problem; may be empty. */
  readonly reason: string;
}

/** An issue that needs the attention of an operator. Adapters that fail by the same cause are one issue. */
export interface MonitoringIssue {
  /** Identifies the issue on all nodes and after a restart, while its numbers and adapters change. */
  readonly id: string;
  readonly severity: 'danger' | 'warning';
  readonly code: IssueCode;
  readonly title: string;
  readonly cause: string;
  /** Time when the issue was first seen, in milliseconds since 1970. */
  readonly since: number;
  readonly about: {
    readonly kind: 'adapter' | 'secret' | 'configuration' | 'service';
    /** Empty if there is only one object of this kind, and for several adapters. */
    readonly name: string;
  };
  /** Names of the adapters with this issue; empty if it concerns no adapter. */
  readonly adapters: readonly string[];
  /** Failed calls per minute through these adapters. */
  readonly failedCallsPerMinute: number;
  /** What the calls of `calls-failing` and `calls-rejected` have in common; null if it is not known. */
  readonly failure: CallFailure | null;
  /** Callers whose latest calls through these adapters failed: those with the most failed calls first. */
  readonly hitCallers: readonly string[];
  /** Number of such callers that are not listed. */
  readonly hitCallersLeft: number;
  /** Number of references that run on cached values. */
  readonly cachedSecrets: number;
  /** Number of references that have expired or are too old. */
  readonly lostSecrets: number;
  /** Time until which cached values may be used, in milliseconds since 1970; null without any. */
  readonly until: number | null;
}
