import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { SchemaDeps } from './deps.js';
import { described, describedSchema } from './described.js';

/** Returns the schema of the settings of an application. */
export const getApplicationSchema: Operation<SchemaDeps> = {
  id: 'getApplicationSchema',
  summary: 'Get the JSON Schema of the settings of an application.',
  method: 'GET',
  path: '/schema/applications/:name',
  roles: ['admin'],
  reply: { title: 'Schema of an application', ...describedSchema },
  handle({ params: { name = '' } }, { applicationSchema }) {
    const schema = applicationSchema(name);
    if (!schema) throw new Problem('application_not_found', `there is no application "${name}"`);
    return { body: described(schema) };
  },
};
