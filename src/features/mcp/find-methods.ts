import type { BoundOperation, Call, Reply } from '../../core/operation.js';
import { oneLine } from '../../lib/one-line.js';
import { CALL_BY_NAME } from '../../settings/access.js';
import { inputSize } from './input-size.js';
import {
  admittedMethods,
  type OfferedMethod,
  type OfferedMethodsDeps,
  offeredMethods,
} from './offered-methods.js';
import { describeTool, type Tool } from './tools.js';

export const FIND_TOOL = 'find_methods';

/** Maximum size of the schemas in one answer, in characters. */
const MAX_SCHEMAS = 16_384;

/** Maximum length of a summary, in characters. */
const MAX_SUMMARY = 500;

const NARROW = 'Ask for fewer methods with limit, or with more words.';

interface Search {
  readonly query?: string;
  readonly adapter?: string;
  readonly limit?: number;
}

const ROW = {
  id: FIND_TOOL,
  summary: 'Find methods of adapters that you may call.',
  description:
    'Returns those that match most of the words of `query` first, with the schema `input` of their arguments. A method without `input` has a large schema: search it by its exact name.',
  method: 'POST',
  path: '/methods',
  roles: ['admin'],
  through: [CALL_BY_NAME],
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      query: {
        type: 'string',
        maxLength: 256,
        description: 'Words of the name, tags or summary; the name alone',
      },
      adapter: { type: 'string', maxLength: 256, description: 'The adapter; absent: all' },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
    },
  },
  reply: {},
  tool: { changes: false, callsOrchestrators: false, narrow: NARROW },
} as const satisfies BoundOperation['row'];

/** Creates the tool that searches the methods that the caller may call. Its roles are those of a call. */
export function createSearchTool(deps: OfferedMethodsDeps): Tool {
  const operation: BoundOperation = {
    name: `mcp.${FIND_TOOL}`,
    paths: [ROW.path],
    row: ROW,
    applicationSummary: 'Tools for agents.',
    handle: (call) => findMethods(call, deps),
    target: () => '',
  };
  return { operation, traits: ROW.tool, description: describeTool(operation, ROW.tool), isApproved: false };
}

async function findMethods({ body, principal, signal }: Call, deps: OfferedMethodsDeps): Promise<Reply> {
  const { query = '', adapter, limit = 10 } = body as Search;
  const adapters = await offeredMethods(deps, signal, (id) => adapter === undefined || adapter === id);
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const ranked = adapters
    .flatMap((one) => admittedMethods(one, principal))
    .map((offered) => ({ offered, rank: rankOf(offered, query, words) }))
    .filter(({ rank }) => rank > 0 || words.length === 0)
    .sort((first, second) => second.rank - first.rank);
  let left = MAX_SCHEMAS;
  const results = ranked.slice(0, limit).map(({ offered: { adapterId, method } }, at) => {
    const { name, summary, tags, effect = 'change', input } = method;
    const size = inputSize(method) ?? Infinity;
    const isShown = size <= left || (at === 0 && Number.isFinite(size));
    if (isShown) left -= size;
    return {
      adapter: adapterId,
      method: name,
      summary: oneLine(summary, MAX_SUMMARY),
      effect,
      tags,
      ...(isShown && { input }),
    };
  });
  return { body: { results, total: ranked.length } };
}

/** Returns how well a method matches: the words that occur in its name count most. */
function rankOf({ method }: OfferedMethod, query: string, words: readonly string[]): number {
  const name = method.name.toLowerCase();
  if (name === query.trim().toLowerCase()) return Infinity;
  const tags = (method.tags ?? []).join(' ').toLowerCase();
  const text = `${method.summary} ${method.description ?? ''}`.toLowerCase();
  return words.reduce(
    (rank, word) =>
      rank + (name.includes(word) ? 4 : 0) + (tags.includes(word) ? 2 : 0) + (text.includes(word) ? 1 : 0),
    0,
  );
}
