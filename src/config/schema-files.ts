import type { JsonSchema } from '../core/schema.js';
import { adapterSchema } from './adapter-schema.js';
import { settingsSchema } from './settings-schema.js';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Returns the schemas of the folder `config/` for editors, by file name, with the meaning and default of each
 * key.
 */
export function schemaFiles(): Readonly<Record<string, JsonSchema>> {
  const properties = settingsSchema['properties'] as Readonly<Record<string, JsonSchema>>;
  const adapters = { ...properties['adapters'], additionalProperties: { $ref: 'adapter.schema.json' } };
  return {
    'gatehouse.schema.json': { $schema: DRAFT, ...settingsSchema, properties: { ...properties, adapters } },
    'adapter.schema.json': { $schema: DRAFT, ...adapterSchema },
  };
}
