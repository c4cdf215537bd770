import type { Operation } from '../../core/operation.js';
import type { SchemaDeps } from './deps.js';

const replySchema = {
  title: 'Adapter types',
  type: 'object',
  required: ['adapterModels', 'total'],
  properties: {
    adapterModels: { type: 'array', items: { type: 'string' } },
    total: { type: 'integer', minimum: 0 },
  },
} as const;

/** Lists the types of adapters. */
export const getAdapterModelTypes: Operation<SchemaDeps> = {
  id: 'getAdapterModelTypes',
  summary: 'List the types of adapters.',
  method: 'GET',
  path: '/adapter-models/types',
  roles: ['admin'],
  reply: replySchema,
  handle(_call, { adapterTypes }) {
    const adapterModels = adapterTypes();
    return { body: { adapterModels, total: adapterModels.length } };
  },
};
