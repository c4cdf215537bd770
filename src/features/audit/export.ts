import type { Call, Operation, Reply } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import { escapeUnprintable } from '../../lib/escape-unprintable.js';
import type { Semaphore } from '../../lib/semaphore.js';
import { describeFilters, exportQuerySchema, parseExportQuery } from './audit-query.js';
import type { AuditTrail, AuditEntry, AuditQuery } from './audit-trail.js';
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

export interface ExportDeps {
  readonly findAudit: AuditTrail['find'];
  /** Places of exports that run at the same time. */
  readonly exportPlaces: Semaphore;
}

/** Format of an export. */
interface ExportFormat {
  readonly header: string;
  readonly lines: (records: readonly AuditEntry[]) => string;
  /** Name of the file that a browser stores. */
  readonly file: string;
}

const CSV: ExportFormat = { header: CSV_HEADER, lines: csvLines, file: 'audit.csv' };
const JSON_LINES: ExportFormat = { header: '', lines: jsonLines, file: 'audit.jsonl' };

const described =
  'Returns all records that match the filters, newest first, while they are read. The export itself is audited. An error after the start aborts the response.';

const replyHeaders = { 'content-disposition': 'The name of the file, for browsers' } as const;

/** Exports records for spreadsheets. */
export const exportAuditCsv: Operation<ExportDeps> = {
  id: 'exportAuditCsv',
  summary: 'Export audit records as CSV, newest first.',
  description: `${described} Cells that a spreadsheet could read as a formula begin with an apostrophe.`,
  method: 'GET',
  path: '/audit/export.csv',
  roles: ['admin'],
  query: exportQuerySchema,
  reply: {
    title: 'Audit records as CSV',
    type: 'string',
    description: 'A header line and a line per record (RFC 4180)',
  },
  replyType: 'text/csv; charset=utf-8',
  replyHeaders,
  problems: ['too_many_requests'],
  audited: true,
  handle: (call, deps) => exportRecords(call, deps, CSV),
};

/** Exports records unchanged, so that their chain can be verified offline. */
export const exportAuditJsonLines: Operation<ExportDeps> = {
  id: 'exportAuditJsonLines',
  summary: 'Export audit records as lines of JSON, newest first.',
  description: `${described} In reverse order, the lines of an export without filters are an audit file, which \`gatehouse audit verify\` verifies offline.`,
  method: 'GET',
  path: '/audit/export.jsonl',
  roles: ['admin'],
  query: exportQuerySchema,
  reply: { title: 'Audit records as lines of JSON', type: 'string', description: 'One record per line' },
  replyType: 'application/jsonl',
  replyHeaders,
  problems: ['too_many_requests'],
  audited: true,
  handle: (call, deps) => exportRecords(call, deps, JSON_LINES),
};

async function exportRecords(
  { query, signal }: Call,
  { findAudit, exportPlaces }: ExportDeps,
  format: ExportFormat,
): Promise<Reply> {
  const filters = parseExportQuery(query);
  if (!exportPlaces.tryAcquire())
    throw new Problem('too_many_requests', 'Other exports of the audit trail are running.', {
      headers: { 'retry-after': '10' },
    });
  try {
    // Read before the response starts, so that a failure is a problem document.
    const first = await findAudit(filters);
    const livePieces = piecesOf({ format, first, filters, signal }, findAudit);
    return {
      body: { livePieces },
      outcome: `${format.file}${describeFilters(query)}`,
      headers: { 'content-disposition': `attachment; filename="${format.file}"` },
      onEnd: () => {
        exportPlaces.release();
      },
    };
  } catch (error) {
    exportPlaces.release();
    throw error;
  }
}

interface RunningExport {
  readonly format: ExportFormat;
  readonly first: Awaited<ReturnType<AuditTrail['find']>>;
  readonly filters: AuditQuery;
  readonly signal: CancelSignal;
}

/** Yields the lines of one page after another. The next page is read when the caller has taken the last one. */
async function* piecesOf(
  { format, first, filters, signal }: RunningExport,
  find: AuditTrail['find'],
): AsyncGenerator<string> {
  yield format.header;
  for (let page = first; ;) {
    yield format.lines(page.results);
    if (page.next === undefined) return;
    signal.throwIfAborted();
    page = await find({ ...filters, before: page.next });
  }
}
