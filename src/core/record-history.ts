import { type CallerIdentity, callerName, type Principal } from './principal.js';
import { Problem } from './problem.js';

/** Author of a change; `name` is the name for people. */
export interface Author extends CallerIdentity {
  readonly name: string;
}

/** Returns the author of a caller's change; null for a caller without a token. */
export function authorOf(principal: Principal | undefined): Author | null {
  if (!principal) return null;
  return { subject: principal.subject, issuer: principal.issuer, name: callerName(principal) };
}

/** Returns true if both authors are the same caller. Two issuers may use the same subject. */
function isSameAuthor(first: Author | null, second: Author | null): boolean {
  return first?.subject === second?.subject && first?.issuer === second?.issuer;
}

/** Maximum length of the comment of a change, in characters. */
export const MAX_COMMENT_LENGTH = 500;

/**
 * Change that produced a version of a record. `stored`: the record is older than its history; `reverted`: a
 * change was not confirmed in time, was canceled, or could not be applied.
 */
export const RECORD_ACTIONS = ['stored', 'created', 'updated', 'rolled-back', 'reverted', 'removed'] as const;
export type RecordAction = (typeof RECORD_ACTIONS)[number];

/** Who made a change, when and why. */
export interface ChangeNote {
  /** Null for a change that no caller made. */
  readonly by: Author | null;
  /** Milliseconds since 1970; null if unknown. */
  readonly at: number | null;
  /** Reason that the author gave. */
  readonly comment?: string | undefined;
  /** Default: `created`, `updated` or `removed`, as the record store does. */
  readonly action?: RecordAction;
  /** Revision whose document the change restores. */
  readonly restores?: number;
  /** Time until which the change must be confirmed, in milliseconds since 1970; absent: it is permanent. */
  readonly confirmBy?: number | undefined;
  /** Only for `reverted`: the confirmed commit to put back; absent: none. */
  readonly commit?: ConfirmedCommit | undefined;
}

/** A change that no caller made, at an unknown time. */
export const NO_NOTE: ChangeNote = { by: null, at: null };

export interface RecordVersion {
  readonly revision: number;
  readonly action: RecordAction;
  readonly at: number | null;
  readonly by: Author | null;
  readonly comment: string | null;
  /** Revision whose document this version restored; null for a document that was sent. */
  readonly restores: number | null;
}

/** A state of a record with its document; for a removed record, its last document. */
export interface RecordVersionDocument extends RecordVersion {
  readonly document: Readonly<Record<string, unknown>>;
}

/** One page of the versions of a record, newest first. */
export interface VersionPage {
  readonly total: number;
  readonly versions: readonly RecordVersion[];
}

/** A deleted record whose versions are still stored. */
export interface RemovedRecord extends Omit<RecordVersion, 'action' | 'restores'> {
  readonly name: string;
}

/** Kind of a rule that is a record of the API. */
export type RuleKind = 'access-rule' | 'limit';

/** Kind of a record that was created through the API. */
export type RecordKind = 'adapter' | 'profile' | RuleKind;

/** What a confirmed commit has changed: the document of a record, or which profile is active. */
export type CommitKind = 'adapter' | 'profile' | 'activation';

/** Identifies a confirmed commit. There is at most one activation, whatever its name. */
export interface CommitKey {
  readonly kind: CommitKind;
  /** Name of the changed record, or of the activated profile. */
  readonly name: string;
}

/** A change that is undone at a time unless it is confirmed before (RFC 6241 section 8.4). */
export interface PendingCommit extends CommitKey {
  readonly by: Author | null;
  /** Time of the latest change, in milliseconds since 1970. */
  readonly at: number;
  /** Time when the change is undone. */
  readonly until: number;
  readonly comment: string | null;
}

/** A pending commit with the state to which it returns. */
export interface ConfirmedCommit extends PendingCommit {
  readonly previous:
    | { readonly document: Readonly<Record<string, unknown>> }
    | { readonly profile: string | null };
}

/** Component or record that an act is about. */
export interface ActTarget {
  readonly kind: RecordKind | 'application';
  readonly name: string;
}

/** Acts of operators on the timeline. */
export const ACT_ACTIONS = [
  'started',
  'stopped',
  'restarted',
  'paused',
  'blocked',
  'resumed',
  'scheduled',
  'unscheduled',
  'log-level',
  'created',
  'updated',
  'rolled-back',
  'removed',
  'activated',
  'deactivated',
  'confirmed',
  'canceled',
  'reverted',
] as const;
export type ActAction = (typeof ACT_ACTIONS)[number];

/** An act of an operator, or the end of an act: a change of what runs, with its author and reason. */
export interface OperatorAct {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly about: ActTarget;
  readonly action: ActAction;
  /** Null for an automatic act of the server. */
  readonly by: Author | null;
  readonly reason: string | null;
  /** Time when the act ends automatically, in milliseconds since 1970; null without an end. */
  readonly until: number | null;
  /** For `log-level`, the level; for `rolled-back`, the revision of the restored version; for `scheduled`, when it begins; otherwise null. */
  readonly detail: string | null;
}

/** Result of undoing a confirmed commit, for the audit record. */
export interface RevertedCommit {
  readonly commit: PendingCommit;
  readonly before: unknown;
  readonly after: unknown;
}

/** Throws `confirmation_pending` if another caller has a change that waits for its confirmation. */
export function requireAuthor(pending: PendingCommit, { by }: ChangeNote): void {
  // A change without a caller comes from a command of the host, which recovers a server.
  if (by === null || isSameAuthor(pending.by, by)) return;
  const { kind, name, until } = pending;
  const what = kind === 'activation' ? `the activation of the profile "${name}"` : `the ${kind} "${name}"`;
  const author = pending.by?.name ?? 'another caller';
  throw new Problem(
    'confirmation_pending',
    `A change of ${what} by ${author} waits for its confirmation until ${new Date(until).toISOString()}.`,
  );
}

/** A version of a record that a change has stored. */
export interface StoredVersion {
  readonly kind: RecordKind;
  readonly name: string;
  readonly revision: number;
}

/** Returns the outcome of a change for its audit record: `version 12 of adapter nso1`. */
export function versionOutcome({ kind, name, revision }: StoredVersion): string {
  return `version ${revision} of ${kind} ${name}`;
}

/** Returns the version that an outcome of {@link versionOutcome} names; undefined for any other outcome. */
export function versionOf(outcome: string): StoredVersion | undefined {
  const [, revision, kind, name] =
    /^version (\d{1,15}) of (adapter|profile|access-rule|limit) (.+)$/.exec(outcome) ?? [];
  if (revision === undefined || name === undefined) return undefined;
  return { kind: kind as RecordKind, name, revision: Number(revision) };
}
