import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { SchemaDeps } from './deps.js';
import { described, describedSchema } from './described.js';

/**
 * Returns the schema of an adapter's settings. Also accepts the name of a plugin, so that clients can get the
 * schema before they register an adapter.
 */
export const getAdapterSchema: Operation<SchemaDeps> = {
  id: 'getAdapterSchema',
  summary: 'Get the JSON Schema of the settings of an adapter, or of the adapters of a plugin.',
  method: 'GET',
  path: '/schema/adapters/:name',
  roles: ['admin'],
  reply: { title: 'Schema of an adapter', ...describedSchema },
  async handle({ params: { name = '' } }, { adapterSchema }) {
    const schema = await adapterSchema(name);
    if (!schema)
      throw new Problem('adapter_not_found', `there is no adapter and no adapter plugin "${name}"`);
    return { body: described(schema) };
  },
};
