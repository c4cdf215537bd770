import { pointerTo } from './pointer.js';
import { Problem, type RequestError } from './problem.js';
import type { JsonSchema } from './schema.js';

/** One page of a list, and how many items there are without the page's bounds. */
export interface Listed<T> {
  readonly results: readonly T[];
  readonly total: number;
}

/** What a list query must know of the items of one list. */
export interface ListShape<T> {
  /** Name of an item: what is meant where a query names no field, and by the fields `id` and `name` of records without one. */
  readonly nameOf: (item: T) => string;
  /** What the fields of a query are looked up in; absent: the item. Nothing that the caller is not shown belongs in it. */
  readonly recordOf?: (item: T) => unknown;
}

/** Items of a page where the query does not say. */
const LIMIT = 25;

/**
 * Answers the query of a list (wire section 7): `equals`, `startsWith` and `contains`, each on the field that `...Field`
 * names, must all hold; then `sort` and `order`, then `skip` and `limit`. A limit of 0 asks for the total alone. A field
 * may be a path with dots. `equals` is exact; the two searches ignore case. What else a query says is ignored.
 * Throws `invalid_request` for a number or an order that is none.
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

/** Schema of the answer of a list of such items. */
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

/** Schemas of the parameters that say which page of a list is wanted. */
export const pageQueryProperties = {
  limit: {
    type: 'integer',
    minimum: 0,
    default: LIMIT,
    description: 'Items of the page; 0 asks for the total alone',
  },
  skip: { type: 'integer', minimum: 0, default: 0, description: 'Items before the page' },
} as const satisfies Record<string, JsonSchema>;

/** Schema of the query of a list, for its row: what {@link queryList} looks at. */
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

/** Which page of a list is wanted. */
export interface Page {
  readonly limit: number;
  readonly skip: number;
  readonly order: 1 | -1;
}

/** Reads it from a query. Throws `invalid_request` for a number or an order that is none. */
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

/** An empty parameter is one that was left out: programs fill templates in. */
function faultOf(query: URLSearchParams, name: string, { pattern, wanted }: Rule): RequestError[] {
  if (pattern.test(query.get(name) ?? '')) return [];
  return [{ pointer: pointerTo('/query', name), message: `parameter ${name} must be ${wanted}` }];
}

/** Whether a text of an item fits the one asked for. */
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

/** What a value reads as: each item of a list for itself, nothing for an object and for what is not there. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === 'string') return [value];
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

/** Numbers first, then texts, then what has no order of its own. */
type SortKey = readonly [rank: 0, value: number] | readonly [rank: 1, value: Buffer] | readonly [rank: 2];

function sortKey(value: unknown): SortKey {
  if (typeof value === 'number') return [0, value];
  if (typeof value === 'string' || typeof value === 'boolean') return [1, Buffer.from(String(value))];
  return [2];
}

function compareKeys(one: SortKey, other: SortKey): number {
  if (one[0] === 0 && other[0] === 0) return one[1] - other[1];
  // The bytes of UTF-8 are in the order of the code points.
  if (one[0] === 1 && other[0] === 1) return Buffer.compare(one[1], other[1]);
  return one[0] - other[0];
}
