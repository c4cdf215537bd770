import { listQuerySchema, listSchema, queryList } from '../../core/list-query.js';
import type { Operation } from '../../core/operation.js';
import { adapterEntrySchema } from './adapter-schema.js';
import type { AdaptersDeps } from './deps.js';
import { entryOf } from './entry.js';

/** Lists the adapters of files and the registered adapters (wire section 5.2). */
export const getAdapters: Operation<AdaptersDeps> = {
  id: 'getAdapters',
  summary: 'List the adapters.',
  method: 'GET',
  path: '',
  roles: ['admin'],
  query: listQuerySchema,
  reply: listSchema('Adapters', adapterEntrySchema),
  handle({ query }, { adapters }) {
    const { results, total } = queryList(adapters.list(), query, {
      nameOf: ({ document }) => document.name,
      recordOf: ({ document }) => document,
    });
    return { body: { results: results.map(entryOf), total } };
  },
};
