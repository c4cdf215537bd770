import type { Operation } from '../../core/operation.js';
import type { SchemaDeps } from './deps.js';
import { described, describedSchema } from './described.js';

/** Returns the schema of profiles. */
export const getProfileSchema: Operation<SchemaDeps> = {
  id: 'getProfileSchema',
  summary: 'Get the JSON Schema of profiles.',
  method: 'GET',
  path: '/schema/profiles',
  roles: ['admin'],
  reply: { title: 'Schema of profiles', ...describedSchema },
  handle(_call, { profileSchema }) {
    return { body: described(profileSchema()) };
  },
};
