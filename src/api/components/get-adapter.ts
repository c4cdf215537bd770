import type { Operation, Reply } from '../../core/operation.js';
import { REVISION, revisionTag } from '../../core/revision-tag.js';
import { adapterEntrySchema, adapterSchema } from './adapter-schema.js';
import type { AdaptersDeps } from './deps.js';
import { entryOf } from './entry.js';
import { foundAdapter } from './require-adapter.js';

/** Tells one adapter; `ETag` has the revision of a registered one. */
export const getAdapter: Operation<AdaptersDeps> = {
  id: 'getAdapter',
  summary: 'Tell an adapter.',
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

/** Tells one adapter as `importAdapter` takes it. */
export const exportAdapter: Operation<AdaptersDeps> = {
  id: 'exportAdapter',
  summary: 'Tell an adapter as it can be imported elsewhere.',
  method: 'GET',
  path: '/:name/export',
  roles: ['admin'],
  reply: adapterSchema,
  handle: ({ params }, { adapters }) => ({ body: foundAdapter(adapters, params['name']).document }),
};

/** An adapter of a file has no revision. */
function tagOf(revision: number | undefined): Pick<Reply, 'headers'> {
  return revision === undefined ? {} : { headers: revisionTag({ revision }) };
}
