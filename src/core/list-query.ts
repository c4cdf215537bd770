import { pointerTo } from './pointer.js';
import { Problem, type RequestError } from './problem.js';
import type { JsonSchema } from './schema.js';

/** One page of a list, and the total number of matching items. */
export interface Listed<T> {
  readonly results: readonly T[];
  readonly total: number;
}

/** How a list query reads the items of one list. */
export interface ListShape<T> {
  /**
   * Returns the name of an item. It is used if a query names no field, and for the fields `id` and `name` of
   * records without them.
   */
  readonly nameOf: (item: T) => string;
  /**
   * Returns the record in which fields are looked up; absent: the item. The record must not contain data that
   * the caller may not see.
   */
  readonly recordOf?: (item: T) => unknown;
}

/** Default number of items per page. */
const LIMIT = 25;

/**
 * Answers the query of a list (wire section 7). `equals`, `startsWith` and `contains` must all match, each on
 * the field that `...Field` names. Then `sort` and `order` apply, then `skip` and `limit`. A limit of 0
 * returns only the total. A field may be a path with dots. `equals` is exact; the two searches ignore case.
 * Other parameters are ignored. Throws `invalid_request` for an invalid number or order.
 */
export function queryList<T>(items: Iterable<T>, query: URLSearchParams, shape: ListShape<T>): Listed<T> {
  const { limit, skip, order } = pageOf(query);
  const valueOf = (item: T, field: string): unknown => fieldOf(item, field, shape);
  const found = [...items].filter((item) => matches(query, (field) => valueOf(item, field)));
  const by = query.get('sort') ?? '';
  const sorted = found
    .map((item) => ({ item, key: sortKey(valueOf(item, by)) }))
    .sort((one, other) => order * compareKeys(one.key, other.key))
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
      total: { type: 'integer', minimum: 0, description: 'All that match, whatever the page shows' },
    },
  };
}

/** Schemas of the paging parameters. */
export const pageQueryProperties = {
  limit: {
    type: 'integer',
    minimum: 0,
    default: LIMIT,
    description: 'Items of the page; 0 asks for the total alone',
  },
  skip: { type: 'integer', minimum: 0, default: 0, description: 'Items before the page' },
} as const satisfies Record<string, JsonSchema>;

/** Schema of a list query, for the row of its operation: the parameters of {@link queryList}. */
export const listQuerySchema: JsonSchema = {
  type: 'object',
  properties: {
    ...pageQueryProperties,
    sort: { type: 'string', description: 'Field to sort by; the name when it is left out' },
    order: { enum: [1, -1], default: 1, description: '-1 sorts downwards' },
    ...filterOf('equals', 'Text that a field is equal to'),
    ...filterOf('startsWith', 'Text that a field begins with, in any case'),
    ...filterOf('contains', 'Text that a field contains, in any case'),
  },
};

function filterOf(name: string, description: string): Readonly<Record<string, JsonSchema>> {
  return {
    [name]: { type: 'string', description },
    [`${name}Field`]: {
      type: 'string',
      description: `Field for ${name}, with dots for what is inside; the name when it is left out`,
    },
  };
}

/** Paging parameters of a list query. */
export interface Page {
  readonly limit: number;
  readonly skip: number;
  readonly order: 1 | -1;
}

/** Parses the paging parameters of a query. Throws `invalid_request` for an invalid number or order. */
export function pageOf(query: URLSearchParams): Page {
  const errors = ['limit', 'skip'].flatMap((name) => faultOf(query, name, COUNT));
  errors.push(...faultOf(query, 'order', ORDER));
  const [first] = errors;
  if (first) throw new Problem('invalid_request', `The query ${first.message}.`, { errors });
  const countOf = (name: string, preset: number): number => {
    const text = query.get(name) ?? '';
    return text === '' ? preset : Number(text);
  };
  return {
    limit: countOf('limit', LIMIT),
    skip: countOf('skip', 0),
    order: query.get('order') === '-1' ? -1 : 1,
  };
}

interface Rule {
  readonly pattern: RegExp;
  readonly wanted: string;
}

const COUNT: Rule = { pattern: /^\d{0,15}$/, wanted: 'a whole number from 0, of at most 15 digits' };
const ORDER: Rule = { pattern: /^(?:-?1)?$/, wanted: '1 or -1' };

/**
 * Returns the error of a parameter. An empty parameter counts as absent, because programs fill in templates.
 */
function faultOf(query: URLSearchParams, name: string, { pattern, wanted }: Rule): RequestError[] {
  if (pattern.test(query.get(name) ?? '')) return [];
  return [{ pointer: pointerTo('/query', name), message: `parameter ${name} must be ${wanted}` }];
}

/** Compares a text of an item with the wanted text. */
type Test = (text: string, wanted: string) => boolean;

const FILTERS: Readonly<Record<string, Test>> = {
  equals: (text, wanted) => text === wanted,
  startsWith: (text, wanted) => text.toLowerCase().startsWith(wanted.toLowerCase()),
  contains: (text, wanted) => text.toLowerCase().includes(wanted.toLowerCase()),
};

function matches(query: URLSearchParams, valueOf: (field: string) => unknown): boolean {
  return Object.entries(FILTERS).every(([name, test]) => {
    const wanted = query.get(name);
    if (wanted === null) return true;
    const texts = textsOf(valueOf(query.get(`${name}Field`) ?? ''));
    return texts.some((text) => test(text, wanted));
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

/**
 * Returns the texts of a value: those of each item in a list, and no text for an object or a missing value.
 */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === 'string') return [value];
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

/** Key for sorting: numbers first, then texts, then values without an order. */
type SortKey = readonly [rank: 0, value: number] | readonly [rank: 1, value: Buffer] | readonly [rank: 2];

function sortKey(value: unknown): SortKey {
  if (typeof value === 'number') return [0, value];
  if (typeof value === 'string' || typeof value === 'boolean') return [1, Buffer.from(String(value))];
  return [2];
}

function compareKeys(one: SortKey, other: SortKey): number {
  if (one[0] === 0 && other[0] === 0) return one[1] - other[1];
  // UTF-8 bytes sort in the order of their code points.
  if (one[0] === 1 && other[0] === 1) return Buffer.compare(one[1], other[1]);
  return one[0] - other[0];
}
