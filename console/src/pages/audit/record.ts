import type { AuditEntry, AuditPage } from '../../../../src/core/audit-query.js';
import { AUDIT_FIELDS, OPTIONAL_AUDIT_FIELDS } from '../../../../src/core/audit.js';

/** Reply of `GET /audit`. */
export type { AuditPage };

type OmittedFields = 'durationMs' | 'before' | 'after';

/** A record of the audit trail; fields that the page does not require are optional. */
export type AuditRecord = Omit<AuditEntry, OmittedFields> & Partial<Pick<AuditEntry, OmittedFields>>;

/** Outcomes of a call, from the best to the worst. */
export const OUTCOMES = ['done', 'refused', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

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

const CSV_COLUMNS = ['seq', ...AUDIT_FIELDS, ...OPTIONAL_AUDIT_FIELDS, 'prev', 'hash'] as const;

/**
 * Formats the records as CSV (RFC 4180) with a header line. Spreadsheets do not treat any cell as a formula.
 */
export function csvOf(records: readonly AuditRecord[]): string {
  const lines = records.map((record) => CSV_COLUMNS.map((name) => csvCell(record[name])).join(','));
  return [CSV_COLUMNS.join(','), ...lines, ''].join('\r\n');
}

/** Formats the records unchanged, one JSON object per line. */
export function jsonLinesOf(records: readonly AuditRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function csvCell(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  // Text chosen by a caller may start like a formula.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
