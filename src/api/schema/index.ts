import type { Application } from '../../core/operation.js';
import type { SchemaDeps } from './deps.js';
import { getAdapterModelTypes } from './get-adapter-model-types.js';
import { getAdapterSchema } from './get-adapter-schema.js';
import { getApplicationSchema } from './get-application-schema.js';
import { getProfileSchema } from './get-profile-schema.js';

/** JSON Schemas of the settings of adapters, applications and profiles (wire section 5.5). */
export const schema: Application<SchemaDeps> = {
  name: 'schema',
  summary: 'What can be set of adapters, applications and profiles, as JSON Schemas.',
  prefixes: [''],
  operations: [getAdapterSchema, getApplicationSchema, getProfileSchema, getAdapterModelTypes],
};
