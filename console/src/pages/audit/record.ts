import type { AuditEntry, AuditPage } from '../../../../src/core/audit-trail.js';

/** Reply of `GET /audit`. */
export type { AuditPage };

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
