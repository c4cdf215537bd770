import { escapeUnprintable } from '../../lib/escape-unprintable.js';
import type { AuditEntry } from './audit-trail.js';
import { AUDIT_FIELDS, OPTIONAL_AUDIT_FIELDS } from './chain.js';

const COLUMNS = ['seq', ...AUDIT_FIELDS, ...OPTIONAL_AUDIT_FIELDS, 'prev', 'hash'] as const;

/** The header line of the CSV (RFC 4180). */
export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/** Formats records as lines of CSV (RFC 4180). Spreadsheets do not treat any cell as a formula. */
export function csvLines(records: readonly AuditEntry[]): string {
  return records.map((record) => `${COLUMNS.map((name) => csvCell(record[name])).join(',')}\r\n`).join('');
}

/** Formats records unchanged, one JSON object per line, with the members in the order of the audit file. */
export function jsonLines(records: readonly AuditEntry[]): string {
  return records
    .map((record) => {
      const members = COLUMNS.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]]));
      return `${escapeUnprintable(JSON.stringify(Object.fromEntries(members)))}\n`;
    })
    .join('');
}

function csvCell(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  // Text chosen by a caller may start like a formula, also after white space that a spreadsheet removes.
  const safe = /^\s*[=+\-@]|^[\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
