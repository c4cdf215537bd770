import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SchemaPair } from '../../test/json-schema/engine/pairs.js';

interface Hyperjump {
  readonly registerSchema: (schema: unknown, uri: string) => void;
  readonly unregisterSchema: (uri: string) => void;
  readonly validate: (uri: string, data: unknown) => Promise<{ readonly valid: boolean }>;
}

const URI = 'https://example.com/pair';

/** Loads @hyperjump/json-schema, which is not a dependency, from its installation folder. */
export async function openHyperjump(
  folder: string,
): Promise<(pair: SchemaPair) => Promise<boolean | undefined>> {
  const load = (part: string): Promise<unknown> => import(pathToFileURL(join(folder, part)).href);
  await load('draft-07/index.js');
  const { registerSchema, unregisterSchema, validate } = (await load('draft-2020-12/index.js')) as Hyperjump;
  return async ({ schema, data }) => {
    try {
      registerSchema(schema, URI);
      return (await validate(URI, data)).valid;
    } finally {
      unregisterSchema(URI);
    }
  };
}
