import type { AuditEntry, AuditPage } from '../../../../src/core/audit-query.js';

/** What `GET /audit` answers. */
export type { AuditPage };

type OmittedFields = 'durationMs' | 'before' | 'after';

/** A record of it, of which the page shows what is there. */
export type AuditRecord = Omit<AuditEntry, OmittedFields> & Partial<Pick<AuditEntry, OmittedFields>>;

/** How a call ended, from the best to the worst. */
export const ENDS = ['done', 'refused', 'failed'] as const;
export type End = (typeof ENDS)[number];

/** How a call ended, by its status: a refusal is the caller's affair (4xx), a failure the server's or the target's (5xx). */
export function endOf({ status }: Pick<AuditRecord, 'status'>): End {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'done';
}

/** A name for a record that no other one has. */
export function keyOfRecord({ seq, requestId, time, operation }: AuditRecord): string {
  return `${seq ?? ''} ${requestId} ${time} ${operation}`;
}
