import type { Operation, Reply } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { listRow, listSchema, NARROW_LIST, queryList } from '../../http/list-query.js';
import { shownPending } from '../lib/history-operations.js';
import { REVISION, revisionTag } from '../lib/revision-tag.js';
import { adapterEntrySchema, adapterSchema } from './adapter-document.js';
import type { AdaptersDeps } from './deps.js';
import { type AdapterDirectory, type AdapterView, shownDocument } from './require-adapter.js';
import { requireVisibleAdapter, visibleAdapters } from './visible-adapters.js';

export const getAdapters: Operation<AdaptersDeps> = {
  id: 'getAdapters',
  summary: 'List the adapters.',
  description:
    'Returns one page of the adapters, both those from files and registered adapters. Secrets appear only as references.',
  method: 'GET',
  path: '',
  topics: ['adapters'],
  roles: READERS,
  ...listRow,
  reply: listSchema('Adapters', adapterEntrySchema),
  tool: { changes: false, callsOrchestrators: false, narrow: NARROW_LIST },
  handle({ query, principal }, deps) {
    const { results, total } = queryList(visibleAdapters(principal, deps), query, {
      nameOf: ({ document }) => document.name,
      recordOf: shownDocument,
    });
    return { body: { results: results.map((view) => adapterEntry(view, deps.adapters)), total } };
  },
};

export const getAdapter: Operation<AdaptersDeps> = {
  id: 'getAdapter',
  summary: 'Get an adapter.',
  description: 'Returns an adapter with its state. The header `etag` has its revision, for `If-Match`.',
  problems: ['adapter_not_found'],
  method: 'GET',
  path: '/:name',
  roles: READERS,
  reply: adapterEntrySchema,
  replyHeaders: REVISION,
  handle({ params, principal }, deps) {
    const view = requireVisibleAdapter(params['name'], principal, deps);
    return { body: adapterEntry(view, deps.adapters), ...tagOf(view.revision) };
  },
};

export const exportAdapter: Operation<AdaptersDeps> = {
  id: 'exportAdapter',
  summary: 'Export an adapter.',
  description: 'Returns an adapter without its state, in the format that `importAdapter` accepts.',
  problems: ['adapter_not_found'],
  method: 'GET',
  path: '/:name/export',
  roles: READERS,
  reply: adapterSchema,
  handle: ({ params, principal }, deps) => ({
    body: shownDocument(requireVisibleAdapter(params['name'], principal, deps)),
  }),
};

/** Returns the names of the adapters that serve each broker (wire decision 10). */
export const getBrokerMap: Operation<AdaptersDeps> = {
  id: 'getBrokerMap',
  summary: 'Get the adapters that serve each broker.',
  description:
    'Returns the names of the adapters of each broker. An adapter without brokers does not appear.',
  method: 'GET',
  path: '/brokers/mapping',
  roles: READERS,
  reply: {
    title: 'Broker mapping',
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
  },
  handle({ principal }, deps) {
    const mapping = new Map<string, string[]>();
    for (const { document } of visibleAdapters(principal, deps))
      for (const broker of document.properties.brokers)
        mapping.set(broker, [...(mapping.get(broker) ?? []), document.name]);
    return { body: Object.fromEntries(mapping) };
  },
};

/** Returns the reply of {@link getAdapter} without headers (wire section 5.2). */
function adapterEntry(view: AdapterView, adapters: AdapterDirectory): object {
  const { isActive, behind, document } = view;
  const pending = adapters.pending().find(({ kind, name }) => kind === 'adapter' && name === document.name);
  return {
    metadata: { isActive, activeSync: behind === undefined },
    data: shownDocument(view),
    ...(pending && { pending: shownPending(pending) }),
  };
}

/** Returns the `ETag` header; no headers for an adapter from a file, which has no revision. */
function tagOf(revision: number | undefined): Pick<Reply, 'headers'> {
  return revision === undefined ? {} : { headers: revisionTag({ revision }) };
}
