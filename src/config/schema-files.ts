import type { JsonSchema } from '../core/schema.js';
import { adapterSchema } from '../settings/adapter.js';
import { settingsSchema } from '../settings/settings.js';
import { toEditorSchema } from './editor-schema.js';
import { allowsReferenceInAdapter, allowsReferenceInMain } from './reference-positions.js';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

export const SCHEMA_FILES = { main: 'gatehouse.schema.json', adapter: 'adapter.schema.json' } as const;

let files: Readonly<Record<string, JsonSchema>> | undefined;

/**
 * Returns the JSON Schemas of the configuration files for editors, by file name, with the meaning and default
 * of each key. Returns the same object each time.
 */
export function schemaFiles(): Readonly<Record<string, JsonSchema>> {
  files ??= createSchemaFiles();
  return files;
}

function createSchemaFiles(): Readonly<Record<string, JsonSchema>> {
  const properties = settingsSchema['properties'] as Readonly<Record<string, JsonSchema>>;
  const adapters = { ...properties['adapters'], additionalProperties: { $ref: SCHEMA_FILES.adapter } };
  const main = { ...settingsSchema, properties: { ...properties, adapters } };
  return {
    [SCHEMA_FILES.main]: {
      $schema: DRAFT,
      ...toEditorSchema(main, allowsReferenceInMain),
      // An empty file has the value null.
      type: ['object', 'null'],
    },
    [SCHEMA_FILES.adapter]: { $schema: DRAFT, ...toEditorSchema(adapterSchema, allowsReferenceInAdapter) },
  };
}
