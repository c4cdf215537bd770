import type { MonitoringIssue } from '../../core/issue.js';
import type { Mute } from '../../core/notification.js';
import type { Author } from '../../core/record-history.js';
import { oneLine } from '../../lib/one-line.js';
import { adapterIssueTitle } from '../console/adapter-issues.js';

/** A person has seen a problem: no reminders are sent. */
export interface Acknowledgement {
  readonly problem: string;
  readonly note: string;
  readonly by: Author | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What its author saw: reminders start again if the problem grows. */
  readonly seen?: Pick<MonitoringIssue, 'severity' | 'adapters'>;
}

/** A problem as a message shows it. */
export interface ReportedProblem extends Pick<
  MonitoringIssue,
  'severity' | 'code' | 'title' | 'cause' | 'since' | 'adapters'
> {
  readonly id: string;
  readonly tags: readonly string[];
  /** Host names of the servers that see the problem; absent in states of earlier versions. */
  readonly servers?: readonly string[];
}

/** What is stored about a problem and a receiver, so that a restart repeats nothing. Times are in milliseconds since 1970. */
export interface NotificationState {
  readonly receiver: string;
  /** The problem as it was seen last. */
  readonly problem: ReportedProblem;
  readonly firstAt: number;
  /** Time of the latest message; null before the first. */
  readonly sentAt: number | null;
  /** Time since which the problem is over; null while it lasts. */
  readonly missingAt: number | null;
}

export interface StateChanges {
  readonly stored: readonly NotificationState[];
  readonly removed: readonly { readonly receiver: string; readonly problem: string }[];
}

/** Why the latest message to a receiver was not sent. Times are in milliseconds since 1970. */
export interface ReceiverFailure {
  readonly at: number;
  readonly reason: string;
  /** Time before which the message is not sent again. */
  readonly retryAt: number;
}

/** What one process of the cluster sees. */
export interface ProblemReport {
  readonly problems: readonly ReportedProblem[];
  /** Failures of the messages that the process sends, by receiver. */
  readonly failures: Readonly<Record<string, ReceiverFailure>>;
}

/** State of the cluster after a process published its report. */
interface PublishedReports {
  /** True if this process is the sender of the cluster. */
  readonly isSender: boolean;
  /** Time of the database, which all nodes share; with SQLite, the time of this process. In milliseconds since 1970. */
  readonly now: number;
  /** Reports of all live processes, including this one; empty if this process is not the sender. */
  readonly reports: readonly ProblemReport[];
}

export interface NotificationStore {
  readonly states: () => Promise<readonly NotificationState[]>;
  /** Stores and removes states. A state does not replace one whose latest message is later. */
  readonly saveStates: (changes: StateChanges) => Promise<void>;
  readonly mutes: () => Promise<readonly Mute[]>;
  readonly addMute: (mute: Mute) => Promise<void>;
  /** Returns false if the mute does not exist. */
  readonly removeMute: (id: string) => Promise<boolean>;
  readonly acknowledgements: () => Promise<readonly Acknowledgement[]>;
  readonly acknowledge: (acknowledgement: Acknowledgement) => Promise<void>;
  /** Returns false if the problem was not acknowledged. */
  readonly withdraw: (problem: string) => Promise<boolean>;
  /**
   * Publishes the report of this process for `ttlMs`, and makes this process the sender of the cluster for that time
   * unless another process is. `now` is the time of this process.
   */
  readonly publish: (
    report: ProblemReport,
    terms: { readonly now: number; readonly ttlMs: number },
  ) => Promise<PublishedReports>;
  /** Returns the reports of all other live processes. */
  readonly reports: (now: number) => Promise<readonly ProblemReport[]>;
}

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
