import { matchesPath } from '../../src/core/access.js';
import type { Adapter } from '../../src/core/adapter.js';
import { DEFAULT_PAGING_BOUNDS, type PagingRule } from '../../src/core/paging.js';
import type { JsonSchema } from '../../src/core/schema.js';

/** The option `paging`: the rules of lists, the first that matches counts, and the limits of one list. */
export interface PagingOptions {
  readonly lists: readonly (PagingRule & { readonly paths?: readonly string[] })[];
  readonly maxPages?: number;
  readonly maxItems?: number;
  readonly maxBytes?: number;
  readonly maxSeconds?: number;
}

const pointer = (description: string): JsonSchema => ({
  description,
  type: 'string',
  maxLength: 256,
  pattern: '^(?:/[^/]*)*$',
  'x-hint': 'must be a JSON pointer, for example /results',
});

const bound = (description: string, maximum: number): JsonSchema => ({
  description,
  type: 'integer',
  minimum: 1,
  maximum,
});

/** Members that each way to the next page needs. */
const NEEDED: Readonly<Record<PagingRule['by'], readonly string[]>> = {
  link: [],
  next: ['at'],
  offset: ['parameter'],
  page: ['parameter'],
  cursor: ['at', 'parameter'],
  header: ['at', 'parameter'],
};

const list: JsonSchema = {
  description: 'How the lists at some paths are divided into pages.',
  type: 'object',
  required: ['by'],
  additionalProperties: false,
  properties: {
    paths: {
      description:
        'Path patterns of the lists: * matches a part of a segment, ** any number of segments. Default: all paths.',
      type: 'array',
      minItems: 1,
      items: { type: 'string', pattern: '^/[^?#\\s]*$', 'x-hint': 'must be a path pattern such as /api/**' },
    },
    by: {
      description:
        'What leads to the next page. link: the header Link. next: a URI in the body, at "at". offset: the number of items so far, in "parameter". page: the number of the page, in "parameter". cursor: a value in the body, at "at", for "parameter". header: the value of the header "at", for "parameter".',
      enum: Object.keys(NEEDED),
    },
    items: pointer('JSON pointer to the list in a page; default: the page is the list.'),
    at: {
      description: 'JSON pointer to what leads to the next page, or for "header" the name of the header.',
      type: 'string',
      minLength: 1,
      maxLength: 256,
    },
    parameter: {
      description: 'Query parameter for the next page.',
      type: 'string',
      minLength: 1,
      maxLength: 128,
    },
    first: {
      description: 'Offset or number of the first page; default: 0 for an offset, 1 for a page.',
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000,
    },
    total: pointer(
      'JSON pointer to the number of all items; without it, an empty page ends a list by offset or page.',
    ),
    more: pointer('JSON pointer to a boolean that is true before the last page.'),
  },
  allOf: Object.entries(NEEDED)
    .filter(([, needed]) => needed.length > 0)
    .map(([by, required]) => ({
      if: { required: ['by'], properties: { by: { const: by } } },
      then: { required, properties: Object.fromEntries(required.map((name) => [name, true])) },
    })),
};

/** Schema of the option `paging`. */
export const pagingSchema: JsonSchema = {
  description:
    'Pages of lists, which restQuery with ?pages=all reads to the end. A list beyond a limit is refused, not cut.',
  type: 'object',
  required: ['lists'],
  additionalProperties: false,
  properties: {
    lists: {
      description: 'Rules of lists. The first rule that matches the path of the call counts.',
      type: 'array',
      minItems: 1,
      maxItems: 64,
      items: list,
    },
    maxPages: bound('Maximum number of pages of one list; default 1000.', 100_000),
    maxItems: bound('Maximum number of items of one list; default 100000.', 10_000_000),
    maxBytes: bound('Maximum size of all pages of one list in bytes; default 67108864.', 1_073_741_824),
    maxSeconds: bound('Seconds after which no further page of a list is requested; default 120.', 3_600),
  },
};

/** Returns the function `paging` of an adapter with these options. */
export function pagingOf({ lists, maxSeconds, ...limits }: PagingOptions): NonNullable<Adapter['paging']> {
  const maxMs = maxSeconds === undefined ? DEFAULT_PAGING_BOUNDS.maxMs : maxSeconds * 1000;
  return (path) => {
    const rule = lists.find(({ paths }) => paths?.some((pattern) => matchesPath(pattern, path)) ?? true);
    return rule && { rule, bounds: { ...limits, maxMs } };
  };
}
