import { AUDIT_FIELDS } from '../../../../src/core/audit.js';
import type { AuditRecord } from './record.js';

const COLUMNS = ['seq', ...AUDIT_FIELDS, 'prev', 'hash'] as const;

/** The records as a table (RFC 4180), with a line of names. No cell is one that a spreadsheet would reckon with. */
export function csvOf(records: readonly AuditRecord[]): string {
  const lines = records.map((record) => COLUMNS.map((name) => cellOf(record[name])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

/** The records as they came, one JSON object a line. */
export function jsonLinesOf(records: readonly AuditRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function cellOf(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  // What a caller chose could begin as a formula does.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
