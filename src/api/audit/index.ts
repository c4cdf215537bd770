import type { AuditQuery } from '../../core/audit-query.js';
import { auditRecordSchema } from '../../core/audit-schema.js';
import type { AuditTrail } from '../../core/audit-trail.js';
import type { Application, Operation } from '../../core/operation.js';
import type { RequestError } from '../../core/problem.js';
import { parameterError, parameterOf, parseRfc3339, queryProblem } from '../../core/query-parameters.js';
import type { JsonSchema } from '../../core/schema.js';

/** Dependencies of the application: read access to the audit trail. */
export interface AuditAppDeps {
  readonly findAudit: AuditTrail['find'];
}

/** Default and maximum number of records in a page. */
const PAGE_SIZE = { preset: 100, max: 1000 } as const;

/** Maximum length of a filter value, in characters. */
const MAX_FILTER_LENGTH = 1024;

/** Filters whose value is used as sent. */
const TEXT_FILTERS = ['subject', 'issuer', 'operation', 'requestId', 'target', 'before'] as const;
const FILTER_NAMES: ReadonlySet<string> = new Set([
  ...TEXT_FILTERS,
  'excludeOperations',
  'since',
  'until',
  'status',
  'limit',
]);

const textFilter = (description: string): JsonSchema => ({
  type: 'string',
  maxLength: MAX_FILTER_LENGTH,
  description,
});
const timeFilter = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
});

const auditQuerySchema: JsonSchema = {
  type: 'object',
  properties: {
    since: timeFilter('Earliest time of the records, inclusive'),
    until: timeFilter('Latest time of the records, exclusive'),
    subject: textFilter('Subject of the caller; two issuers may have the same subject'),
    issuer: textFilter('Issuer of the token of the caller'),
    operation: textFilter('Name of the operation, as `<application>.<id>`'),
    excludeOperations: textFilter('Operations whose records are left out, separated by commas'),
    requestId: textFilter('Id of the request'),
    status: { type: 'integer', minimum: 0, maximum: 999, description: 'HTTP status of the response' },
    target: textFilter('Text that the target contains'),
    limit: { type: 'integer', minimum: 1, maximum: PAGE_SIZE.max, default: PAGE_SIZE.preset },
    before: textFilter('Value of `next` of the previous page'),
  },
};

const replySchema = {
  title: 'Audit records',
  type: 'object',
  required: ['results'],
  properties: {
    results: { type: 'array', items: auditRecordSchema, description: 'Newest first' },
    next: {
      type: 'string',
      description: 'Value of `before` for the next page; absent if there are no older records',
    },
    partial: {
      const: true,
      description: 'The search stopped before the page was full; continue with `next`',
    },
  },
} as const;

/** Searches the audit trail. The audit record of the search names the filters, but not their values. */
const getAudit: Operation<AuditAppDeps> = {
  id: 'getAudit',
  summary: 'Search the audit trail, newest records first.',
  description:
    'Returns the audit records that match all filters, newest first. The search itself is audited.',
  method: 'GET',
  path: '/audit',
  roles: ['admin'],
  query: auditQuerySchema,
  reply: replySchema,
  audited: true,
  async handle({ query }, { findAudit }) {
    const page = await findAudit(parseAuditQuery(query));
    const filters = [...query.keys()].sort();
    const criteria = filters.length > 0 ? ` by ${filters.join(', ')}` : '';
    return { body: page, outcome: `${page.results.length} records${criteria}` };
  },
};

/** The application that searches the audit trail. */
export const audit: Application<AuditAppDeps> = {
  name: 'audit',
  summary: 'Search the records of who called which operation, with the outcome.',
  prefixes: [''],
  operations: [getAudit],
};

/**
 * Parses the filters of a search. Throws `invalid_request` with all errors. An unknown filter is an error,
 * because a search that ignored a mistyped filter would match every record.
 */
export function parseAuditQuery(params: URLSearchParams): AuditQuery {
  const errors: RequestError[] = [...params.keys()].flatMap((name) => errorsOf(name, params));
  const parsed = <Value>(name: string, parse: (text: string) => Value | undefined, expected: string) => {
    const text = parameterOf(params, name);
    if (text === undefined) return {};
    const value = parse(text);
    if (value === undefined) errors.push(parameterError(name, expected));
    return { [name]: value };
  };
  const query = {
    limit: PAGE_SIZE.preset,
    ...Object.fromEntries(TEXT_FILTERS.flatMap((name) => entryOf(name, params))),
    ...parsed('excludeOperations', parseNames, 'must be names of operations, separated by commas'),
    ...parsed('since', parseTime, 'must be a date and time as in RFC 3339'),
    ...parsed('until', parseTime, 'must be a date and time as in RFC 3339'),
    ...parsed('status', (text) => parseNumber(text, 0, 999), 'must be an HTTP status'),
    ...parsed(
      'limit',
      (text) => parseNumber(text, 1, PAGE_SIZE.max),
      `must be a whole number from 1 to ${PAGE_SIZE.max}`,
    ),
  };
  const [error, ...others] = errors;
  if (error) throw queryProblem([error, ...others]);
  return query;
}

function entryOf(name: string, params: URLSearchParams): readonly (readonly [string, string])[] {
  const value = params.get(name);
  return value === null ? [] : [[name, value]];
}

function errorsOf(name: string, params: URLSearchParams): readonly RequestError[] {
  const error = (message: string): readonly RequestError[] => [parameterError(name, message)];
  if (!FILTER_NAMES.has(name)) return error('is not a filter');
  const values = params.getAll(name);
  if (values.length > 1) return error('occurs more than once');
  const [value = ''] = values;
  if (value.length > MAX_FILTER_LENGTH) return error(`is longer than ${MAX_FILTER_LENGTH} characters`);
  // An empty filter would match every record.
  const isEmptyFilter = value === '' && name !== 'limit';
  return isEmptyFilter || value.includes('\0') ? error('must have a value, without NUL') : [];
}

const YEAR_10000 = Date.UTC(10000, 0);

/**
 * Converts a time to the format of the records, UTC with milliseconds. Returns undefined for an invalid time.
 */
function parseTime(text: string): string | undefined {
  const milliseconds = parseRfc3339(text) ?? NaN;
  // Times from the year 10000 have a longer format, which does not sort as text.
  return milliseconds < YEAR_10000 ? new Date(milliseconds).toISOString() : undefined;
}

/** Returns the names in a list with commas; undefined if one of them is empty. */
function parseNames(text: string): readonly string[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return names.includes('') ? undefined : names;
}

function parseNumber(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  return value < min || value > max ? undefined : value;
}
