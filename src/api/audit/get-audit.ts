import type { Operation } from '../../core/operation.js';
import type { AuditAppDeps } from './deps.js';
import type { AuditQuery } from '../../core/audit-query.js';
import { Problem, type RequestError } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';

/** Default and maximum number of records in a page. */
const LIMIT = { preset: 100, most: 1000 } as const;

/** Maximum length of a filter value, in characters. */
const LONGEST = 1024;

const FILTERS = ['subject', 'operation', 'requestId', 'target', 'before'] as const;
const KNOWN: ReadonlySet<string> = new Set([...FILTERS, 'since', 'until', 'status', 'limit']);

const exactly = (what: string): JsonSchema => ({ type: 'string', maxLength: LONGEST, description: what });
const moment = (what: string): JsonSchema => ({ type: 'string', format: 'date-time', description: what });

/** Schema of the query. */
const auditQuerySchema: JsonSchema = {
  type: 'object',
  properties: {
    since: moment('Records of this moment and after it'),
    until: moment('Records before this moment'),
    subject: exactly('Who called'),
    operation: exactly('Name of the operation'),
    requestId: exactly('Id of the request'),
    status: { type: 'integer', minimum: 0, maximum: 999, description: 'Status of the answer' },
    target: exactly('Text that the target contains'),
    limit: { type: 'integer', minimum: 1, maximum: LIMIT.most, default: LIMIT.preset },
    before: exactly('The member next of the page before'),
  },
};

/**
 * Parses the query of a call. Throws `invalid_request` with every fault, because a mistyped filter must not
 * match every record.
 */
export function readQuery(params: URLSearchParams): AuditQuery {
  const errors: RequestError[] = [...params.keys()].flatMap((name) => faultsOf(name, params));
  const read = <Value>(name: string, parse: (text: string) => Value | undefined, wanted: string) => {
    const text = params.get(name);
    if (text === null) return {};
    const value = parse(text);
    if (value === undefined) errors.push({ pointer: `/${name}`, message: wanted });
    return { [name]: value };
  };
  const query = {
    limit: LIMIT.preset,
    ...Object.fromEntries(FILTERS.flatMap((name) => pairOf(name, params))),
    ...read('since', parseTime, 'must be a date and time as in RFC 3339'),
    ...read('until', parseTime, 'must be a date and time as in RFC 3339'),
    ...read('status', (text) => parseNumber(text, 0, 999), 'must be an HTTP status'),
    ...read('limit', (text) => parseNumber(text, 1, LIMIT.most), `must be 1 to ${LIMIT.most}`),
  };
  const [first] = errors;
  if (first) throw new Problem('invalid_request', `${first.pointer} ${first.message}.`, { errors });
  return query;
}

function pairOf(name: string, params: URLSearchParams): readonly (readonly [string, string])[] {
  const value = params.get(name);
  return value === null ? [] : [[name, value]];
}

function faultsOf(name: string, params: URLSearchParams): readonly RequestError[] {
  const fault = (message: string): readonly RequestError[] => [{ pointer: `/${name}`, message }];
  if (!KNOWN.has(name)) return fault('is no filter');
  const values = params.getAll(name);
  if (values.length > 1) return fault('stands more than once');
  const [value = ''] = values;
  if (value.length > LONGEST) return fault(`is longer than ${LONGEST} characters`);
  return value === '' || value.includes('\0') ? fault('must have a value, without NUL') : [];
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

const YEAR_10000 = Date.UTC(10000, 0);

/** Converts a time to the format of the records, UTC with milliseconds; undefined if it is invalid. */
function parseTime(text: string): string | undefined {
  const at = RFC_3339.test(text) ? Date.parse(text.toUpperCase()) : NaN;
  // A year of five digits has another format, which does not sort as text.
  return at < YEAR_10000 ? new Date(at).toISOString() : undefined;
}

function parseNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  return value < least || value > most ? undefined : value;
}

const text = { type: 'string' } as const;
const digest = { type: 'string', pattern: '^([0-9a-f]{64})?$' } as const;

const recordSchema = {
  type: 'object',
  required: ['time', 'requestId', 'operation', 'subject', 'issuer', 'target', 'status', 'outcome'],
  properties: {
    time: { type: 'string', format: 'date-time' },
    requestId: text,
    operation: { ...text, description: '<application>.<id>' },
    subject: { ...text, description: 'Who called' },
    issuer: { ...text, description: 'Who says so' },
    target: { ...text, description: 'Path of the request, and what the call was about' },
    status: { type: 'integer', description: 'HTTP status; 0 where a stream begins' },
    outcome: { ...text, description: 'Code of a failure, or what the operation said of its outcome' },
    durationMs: { type: 'number' },
    before: { ...digest, description: 'Digest of the state that the call found' },
    after: { ...digest, description: 'Digest of the state that the call left' },
    seq: { type: 'integer', minimum: 1, description: 'Place in the chain; absent before there was one' },
    prev: { ...digest, description: 'Hash of the record before' },
    hash: { ...digest, description: 'Seal over all of this' },
  },
} as const;

const replySchema = {
  title: 'Audit records',
  type: 'object',
  required: ['results'],
  properties: {
    results: { type: 'array', items: recordSchema, description: 'Newest first' },
    next: { ...text, description: 'Send it as "before" to go on; absent when there is nothing older' },
    partial: {
      const: true,
      description: 'The search stopped before the page was full; "next" goes on',
    },
  },
} as const;

/** Searches the audit trail. The audit record of the search names the filters, but not their values. */
export const getAudit: Operation<AuditAppDeps> = {
  id: 'getAudit',
  summary: 'Search the audit trail, newest records first.',
  method: 'GET',
  path: '/audit',
  roles: ['admin'],
  query: auditQuerySchema,
  reply: replySchema,
  audited: true,
  async handle({ query }, { findAudit }) {
    const page = await findAudit(readQuery(query));
    const filters = [...query.keys()].sort();
    const by = filters.length > 0 ? ` by ${filters.join(', ')}` : '';
    return { body: page, outcome: `${page.results.length} records${by}` };
  },
};
