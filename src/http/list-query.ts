import type { RequestError } from '../core/problem.js';
import type { JsonSchema } from '../core/schema.js';
import { parameterError, parameterOf, queryProblem } from './query-parameters.js';

/** One page of a list, with the total number of matching items. */
interface Listed<T> {
  readonly results: readonly T[];
  readonly total: number;
}

/** Functions with which a list query reads the items of a list. */
interface ListShape<T> {
  /**
   * Returns the name of an item: the value of the default field, and of the fields `id` and `name` of records
   * without these fields.
   */
  readonly nameOf: (item: T) => string;
  /**
   * Returns the record that contains the fields of an item; absent: the item itself. The record must not
   * contain data that the caller may not read.
   */
  readonly recordOf?: (item: T) => unknown;
}

/** Default number of items per page. */
const DEFAULT_PAGE_LIMIT = 25;

/** Largest number of a paging parameter: the largest of 15 digits. */
const MAX_COUNT = 10 ** 15 - 1;

/**
 * Returns the items of a list that match a query (wire section 7), sorted and paged. `equals`, `startsWith`
 * and `contains` must all match, each on the field that `...Field` names, or as `equals[field]=value`. `equals` is
 * exact; the other two ignore case. A field may be a path with dots. Then `sort` and `order` apply, then `skip` and `limit`; a
 * limit of 0 returns only the total. Ignores other parameters. Throws `invalid_request` for an invalid number
 * or order.
 */
export function queryList<T>(items: Iterable<T>, query: URLSearchParams, shape: ListShape<T>): Listed<T> {
  const { limit, skip, order } = pageOf(query);
  const valueOf = (item: T, field: string): unknown => fieldOf(item, field, shape);
  const found = [...items].filter((item) => matchesQuery(item, query, shape));
  const sortField = query.get('sort') ?? '';
  const sorted = found
    .map((item) => ({ item, key: sortKey(valueOf(item, sortField)) }))
    .sort((first, second) => order * compareSortKeys(first.key, second.key))
    .map(({ item }) => item);
  return { results: sorted.slice(skip, skip + limit), total: found.length };
}

/** Returns the schema of a list reply for items of this schema. */
export function listSchema(title: string, item: JsonSchema): JsonSchema {
  return {
    title,
    type: 'object',
    required: ['results', 'total'],
    properties: {
      results: { type: 'array', items: item },
      total: { type: 'integer', minimum: 0, description: 'Number of all matching items' },
    },
  };
}

/** Schema of a limit, without a default. */
export const limitProperty = { type: 'integer', minimum: 0, maximum: MAX_COUNT } as const;
const LIMIT_DESCRIPTION = 'Maximum number of items on the page; 0 returns only the total';

/** Schemas of the paging parameters. */
export const pageQueryProperties = {
  limit: { ...limitProperty, default: DEFAULT_PAGE_LIMIT, description: LIMIT_DESCRIPTION },
  skip: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_COUNT,
    default: 0,
    description: 'Number of items before the page',
  },
} as const satisfies Record<string, JsonSchema>;

/** Schemas of the filters of a list query. */
export const filterQueryProperties: Readonly<Record<string, JsonSchema>> = {
  ...filterProperties('equals', 'Text that the field must equal'),
  ...filterProperties('startsWith', 'Text that the field must start with, ignoring case'),
  ...filterProperties('contains', 'Text that the field must contain, ignoring case'),
};

/** Schema of a list query: the parameters of {@link queryList}. */
const listQuerySchema: JsonSchema = {
  type: 'object',
  properties: {
    limit: {
      ...limitProperty,
      description: `${LIMIT_DESCRIPTION}; default: lists.defaultLimit of the configuration`,
    },
    skip: pageQueryProperties.skip,
    sort: { type: 'string', description: 'Field to sort by; default: the name' },
    order: { enum: [1, -1], default: 1, description: '1 sorts in ascending order, -1 in descending order' },
    ...filterQueryProperties,
  },
};

/** Members that the operations of lists share. */
export const listRow = {
  list: true,
  query: listQuerySchema,
  replyHeaders: {
    link: 'Next page of the list (RFC 8288), relative to the request; absent on the last page',
  },
} as const;

/** How the caller of a tool asks for less of a list. */
export const NARROW_LIST =
  'Ask for fewer entries with limit and skip, or filter them with startsWith or contains.';

function filterProperties(name: string, description: string): Readonly<Record<string, JsonSchema>> {
  return {
    [name]: { type: 'string', description },
    [`${name}Field`]: {
      type: 'string',
      description: `Field for ${name}; dots separate nested fields; default: the name`,
    },
  };
}

/** Paging parameters of a list query. */
export interface Page {
  readonly limit: number;
  readonly skip: number;
  readonly order: 1 | -1;
}

/**
 * Parses the paging parameters of a query. Throws `invalid_request` for an invalid number or order. `defaultLimit` applies
 * to a query without a limit.
 */
export function pageOf(query: URLSearchParams, defaultLimit = DEFAULT_PAGE_LIMIT): Page {
  const errors = ['limit', 'skip'].flatMap((name) => parameterErrors(query, name, COUNT_RULE));
  errors.push(...parameterErrors(query, 'order', ORDER_RULE));
  const [first, ...others] = errors;
  if (first) throw queryProblem([first, ...others]);
  const countOf = (name: string, preset: number): number => Number(parameterOf(query, name) ?? preset);
  return {
    limit: countOf('limit', defaultLimit),
    skip: countOf('skip', 0),
    order: query.get('order') === '-1' ? -1 : 1,
  };
}

interface ParameterRule {
  readonly pattern: RegExp;
  readonly wanted: string;
}

const COUNT_RULE: ParameterRule = {
  pattern: /^\d{1,15}$/,
  wanted: 'a whole number from 0, of at most 15 digits',
};
const ORDER_RULE: ParameterRule = { pattern: /^-?1$/, wanted: '1 or -1' };

/** Returns the errors of a parameter. */
function parameterErrors(
  query: URLSearchParams,
  name: string,
  { pattern, wanted }: ParameterRule,
): RequestError[] {
  const text = parameterOf(query, name);
  return text === undefined || pattern.test(text) ? [] : [parameterError(name, `must be ${wanted}`)];
}

/** Returns true if a text of an item matches the wanted text. */
type TextFilter = (text: string, wanted: string) => boolean;

const FILTERS: Readonly<Record<string, TextFilter>> = {
  equals: (text, wanted) => text === wanted,
  startsWith: (text, wanted) => text.toLowerCase().startsWith(wanted.toLowerCase()),
  contains: (text, wanted) => text.toLowerCase().includes(wanted.toLowerCase()),
};

/** Returns true if a query has a filter, a limit or a number of items to skip. */
export function isSelective(query: URLSearchParams): boolean {
  return [...query.keys()].some((name) => ['limit', 'skip'].includes(name) || filterOf(name) !== undefined);
}

/** Returns the filter that a parameter sends, and the field in brackets. */
function filterOf(parameter: string): { readonly name: string; readonly field?: string } | undefined {
  const [, name = parameter, field] = /^(\w+)\[([^\]]*)\]$/.exec(parameter) ?? [];
  return Object.hasOwn(FILTERS, name) ? { name, ...(field !== undefined && { field }) } : undefined;
}

/** Returns the fields that the filters of a query read; an empty text is the name of an item. */
export function filterFieldsOf(query: URLSearchParams): readonly string[] {
  return filtersOf(query).map(({ field }) => field);
}

/** Returns true if an item matches all filters of a query; see {@link queryList}. */
export function matchesQuery<T>(item: T, query: URLSearchParams, shape: ListShape<T>): boolean {
  return filtersOf(query).every(({ name, field, wanted }) =>
    textsOf(fieldOf(item, field, shape)).some((text) => FILTERS[name]?.(text, wanted)),
  );
}

interface WantedText {
  readonly name: string;
  readonly field: string;
  readonly wanted: string;
}

function filtersOf(query: URLSearchParams): readonly WantedText[] {
  return [...query].flatMap(([parameter, wanted]) => {
    const filter = filterOf(parameter);
    if (!filter) return [];
    const { name, field = query.get(`${name}Field`) ?? '' } = filter;
    return [{ name, field, wanted }];
  });
}

function fieldOf<T>(item: T, field: string, { nameOf, recordOf }: ListShape<T>): unknown {
  if (field === '') return nameOf(item);
  let value: unknown = recordOf ? recordOf(item) : item;
  for (const part of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return ['id', 'name'].includes(field) ? nameOf(item) : undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Returns the texts of a value. Returns the texts of all items of a list, and no text for an object. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === 'string') return [value];
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? [String(value)] : [];
}

/** Sort key of a value: numbers sort first, then texts, then all other values. */
type SortKey = readonly [rank: 0, value: number] | readonly [rank: 1, value: Buffer] | readonly [rank: 2];

function sortKey(value: unknown): SortKey {
  if (typeof value === 'number' || typeof value === 'bigint') return [0, Number(value)];
  if (typeof value === 'string' || typeof value === 'boolean') return [1, Buffer.from(String(value))];
  return [2];
}

function compareSortKeys(first: SortKey, second: SortKey): number {
  if (first[0] === 0 && second[0] === 0) return first[1] - second[1];
  // UTF-8 bytes sort in the order of their code points.
  if (first[0] === 1 && second[0] === 1) return Buffer.compare(first[1], second[1]);
  return first[0] - second[0];
}
