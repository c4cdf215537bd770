import type { Operation, Reply } from '../../core/operation.js';
import { REVISION, revisionTag } from '../../core/revision-tag.js';
import { adapterEntrySchema, adapterSchema } from './adapter-schema.js';
import type { AdaptersDeps } from './deps.js';
import { entryOf } from './entry.js';
import { foundAdapter } from './require-adapter.js';

/** Returns one adapter; `ETag` contains the revision of a registered adapter. */
export const getAdapter: Operation<AdaptersDeps> = {
  id: 'getAdapter',
  summary: 'Get an adapter.',
  method: 'GET',
  path: '/:name',
  roles: ['admin'],
  reply: adapterEntrySchema,
  replyHeaders: REVISION,
  handle({ params }, { adapters }) {
    const view = foundAdapter(adapters, params['name']);
    return { body: entryOf(view), ...tagOf(view.revision) };
  },
};

/** Returns one adapter in the format that `importAdapter` accepts. */
export const exportAdapter: Operation<AdaptersDeps> = {
  id: 'exportAdapter',
  summary: 'Export an adapter.',
  method: 'GET',
  path: '/:name/export',
  roles: ['admin'],
  reply: adapterSchema,
  handle: ({ params }, { adapters }) => ({ body: foundAdapter(adapters, params['name']).document }),
};

/** Returns the `ETag` header, or no headers for an adapter of a file, which has no revision. */
function tagOf(revision: number | undefined): Pick<Reply, 'headers'> {
  return revision === undefined ? {} : { headers: revisionTag({ revision }) };
}
