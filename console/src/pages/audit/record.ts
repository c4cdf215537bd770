import type { AuditEntry, AuditPage } from '../../../../src/features/audit/audit-trail.js';

/** What a change did, by the stored versions before and after it. */
export interface RecordChange {
  readonly seq: number;
  readonly differences: readonly {
    /** JSON pointer in the document. */
    readonly pointer: string;
    readonly kind: 'added' | 'removed' | 'changed';
    readonly before?: unknown;
    readonly after?: unknown;
  }[];
  /** Number of differences that are not listed. */
  readonly left: number;
}

/** Reply of `GET /audit?changes=true`. */
export interface AuditReply extends AuditPage {
  /** Absent in replies of servers before this release. */
  readonly changes?: readonly RecordChange[];
}

type OmittedFields = 'durationMs' | 'before' | 'after';

/** A record of the audit trail; fields that the page does not require are optional. */
export type AuditRecord = Omit<AuditEntry, OmittedFields> & Partial<Pick<AuditEntry, OmittedFields>>;

/** Outcome of a call. */
export type Outcome = 'done' | 'refused' | 'failed';

/**
 * Returns the outcome of a call by its status: `refused` for an error of the caller (4xx), `failed` for an
 * error of the server or the target (5xx).
 */
export function outcomeOf({ status }: Pick<AuditRecord, 'status'>): Outcome {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'done';
}

/** Returns a unique key for a record. */
export function keyOfRecord({ seq, requestId, time, operation }: AuditRecord): string {
  return `${seq ?? ''} ${requestId} ${time} ${operation}`;
}
