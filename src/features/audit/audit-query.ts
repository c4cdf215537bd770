import type { RequestError } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import { parameterError, parameterOf, parseRfc3339, queryProblem } from '../../http/query-parameters.js';
import type { AuditQuery } from './audit-trail.js';

/** Default and maximum number of records in a page. */
const PAGE_SIZE = { preset: 100, max: 1000 } as const;

/** Maximum length of a filter value, in characters. */
const MAX_FILTER_LENGTH = 1024;

/** Filters whose value is used as sent. */
const TEXT_FILTERS = ['subject', 'issuer', 'operation', 'requestId', 'target', 'search', 'before'] as const;
const FILTER_NAMES: ReadonlySet<string> = new Set([
  ...TEXT_FILTERS,
  'excludeOperations',
  'since',
  'until',
  'status',
  'limit',
  'changes',
]);

/** Names of operations, separated by commas. */
const OPERATION_NAMES = '^[\\w.-]+(?:, ?[\\w.-]+)*$';

const textFilter = (description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: MAX_FILTER_LENGTH,
  pattern: '^[^\\u0000]+$',
  description,
});
const timeFilter = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
});

/** Filters of a search and of an export. */
const filterProperties: Readonly<Record<string, JsonSchema>> = {
  since: timeFilter('Earliest time of the records, inclusive'),
  until: timeFilter('Latest time of the records, exclusive'),
  subject: textFilter('Subject of the caller; two issuers may have the same subject'),
  issuer: textFilter('Issuer of the token of the caller'),
  operation: textFilter('Name of the operation, as `<application>.<id>`'),
  excludeOperations: {
    ...textFilter('Operations whose records are left out, separated by commas'),
    pattern: OPERATION_NAMES,
  },
  requestId: textFilter('Id of the request'),
  status: { type: 'integer', minimum: 0, maximum: 999, description: 'HTTP status of the response' },
  target: textFilter('Text that the target contains'),
  search: textFilter(
    'Text in the request id, the operation, the subject or the name of the caller, its address, the target, the outcome or the reason, in any case; or the HTTP status',
  ),
};

/** Query of an export: it has no pages. */
export const exportQuerySchema: JsonSchema = { type: 'object', properties: filterProperties };

export const auditQuerySchema: JsonSchema = {
  type: 'object',
  properties: {
    ...filterProperties,
    limit: { type: 'integer', minimum: 1, maximum: PAGE_SIZE.max, default: PAGE_SIZE.preset },
    before: textFilter('Value of `next` of the previous page'),
    changes: { type: 'boolean', default: false, description: 'Whether the reply says what changes did' },
  },
};

/** Filters of a search, and whether its reply says what changes did. */
interface AuditSearch extends AuditQuery {
  readonly changes?: boolean;
}

/**
 * Parses the filters of a search. Throws `invalid_request` with all errors. An unknown filter is an error,
 * because a search that ignored a mistyped filter would match every record.
 */
export function parseAuditQuery(params: URLSearchParams, names = FILTER_NAMES): AuditSearch {
  const errors: RequestError[] = [...params.keys()].flatMap((name) =>
    names.has(name) ? errorsOf(name, params) : [parameterError(name, 'is not a filter')],
  );
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
    ...parsed('changes', parseBoolean, 'must be true or false'),
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
  const values = params.getAll(name);
  if (values.length > 1) return error('occurs more than once');
  const [value = ''] = values;
  if (value.length > MAX_FILTER_LENGTH) return error(`is longer than ${MAX_FILTER_LENGTH} characters`);
  // An empty filter would match every record.
  const isEmptyFilter = value === '' && name !== 'limit';
  return isEmptyFilter || value.includes('\0') ? error('must have a value, without NUL') : [];
}

/**
 * Converts a time to the format of the records, UTC with milliseconds. Returns undefined for an invalid time.
 */
function parseTime(text: string): string | undefined {
  const milliseconds = parseRfc3339(text);
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}

/** Returns the names in a list with commas; undefined if one of them is empty. */
function parseNames(text: string): readonly string[] | undefined {
  return new RegExp(OPERATION_NAMES).test(text) ? text.split(',').map((name) => name.trim()) : undefined;
}

function parseBoolean(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

function parseNumber(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  return value < min || value > max ? undefined : value;
}

/** Returns the names of the filters in a query for the audit record, which has no values: ` by since, until`. */
export function describeFilters(query: URLSearchParams): string {
  const names = [...query.keys()].filter((name) => name !== 'changes').sort();
  return names.length > 0 ? ` by ${names.join(', ')}` : '';
}

const PAGE_NAMES: ReadonlySet<string> = new Set(['limit', 'before', 'changes']);
const EXPORT_NAMES: ReadonlySet<string> = new Set([...FILTER_NAMES].filter((name) => !PAGE_NAMES.has(name)));

/** Parses the filters of an export, which has no pages. Throws `invalid_request` with all errors. */
export function parseExportQuery(params: URLSearchParams): AuditQuery {
  return { ...parseAuditQuery(params, EXPORT_NAMES), limit: PAGE_SIZE.max };
}
