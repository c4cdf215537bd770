import { AUDIT_FIELDS } from '../../../../src/core/audit.js';
import type { AuditRecord } from './record.js';

const COLUMNS = ['seq', ...AUDIT_FIELDS, 'prev', 'hash'] as const;

/**
 * Formats the records as CSV (RFC 4180) with a header line. Spreadsheets do not treat any cell as a formula.
 */
export function csvOf(records: readonly AuditRecord[]): string {
  const lines = records.map((record) => COLUMNS.map((name) => cellOf(record[name])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

/** Formats the records unchanged, one JSON object per line. */
export function jsonLinesOf(records: readonly AuditRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function cellOf(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  // Text chosen by a caller may start like a formula.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
