import type { Operation } from '../../core/operation.js';
import { doneSchema } from '../lib/management-schemas.js';
import type { AdaptersDeps } from './deps.js';
import { requireAdapter } from './require-adapter.js';

export const deleteAdapterCache: Operation<AdaptersDeps> = {
  id: 'deleteAdapterCache',
  summary: 'Remove all replies from the read cache of an adapter.',
  description:
    'Removes all replies from the read cache of an adapter, in all processes and nodes, for example after a change that was made past gatehouse. Its connections and running calls stay. Does nothing for an adapter without a cache.',
  problems: ['adapter_not_found'],
  method: 'DELETE',
  path: '/:name/cache',
  roles: ['admin'],
  reply: doneSchema('Emptied cache'),
  audited: true,
  async handle(call, { adapters, forgetReplies }) {
    const { name } = requireAdapter(adapters, call.params['name']).document;
    await forgetReplies(name);
    return { body: { status: 'OK', message: `Successfully emptied the cache of ${name}.` } };
  },
};
