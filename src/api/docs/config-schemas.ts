import { createHash } from 'node:crypto';
import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';

/** Dependencies of the operation that returns the schemas of the configuration. */
export interface ConfigSchemaDeps {
  /** Returns the schemas of the configuration files by file name; the same objects each time. */
  readonly configSchemas: () => Readonly<Record<string, JsonSchema>>;
}

/** Seconds that a cache keeps a schema. A schema changes only with the version of gatehouse. */
const MAX_AGE_SECONDS = 3600;

/**
 * Returns the JSON Schema of a configuration file. It is public: the schemas describe the product, not this
 * installation, and editors request them without a token.
 */
export const getConfigSchema: Operation<ConfigSchemaDeps> = {
  id: 'getConfigSchema',
  summary: 'Get the JSON Schema of a configuration file, for editors.',
  description:
    'Returns the JSON Schema of `gatehouse.yaml` or of an adapter file, with which editors check and complete the file.',
  problems: ['not_found'],
  method: 'GET',
  path: '/schemas/:name',
  roles: 'public',
  conditional: true,
  reply: { title: 'JSON Schema of a configuration file', type: 'object' },
  replyHeaders: {
    etag: 'Version of the schema, for If-None-Match',
    'cache-control': 'Caches may keep the response for an hour',
  },
  handle({ params: { name = '' }, header }, { configSchemas }) {
    const schemas = configSchemas();
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (!schema) throw noSuchSchema(Object.keys(schemas));
    const { body, etag } = documentOf(schema);
    const headers = { etag, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` };
    return { body, headers, ...(includesTag(header('if-none-match'), etag) && { notModified: true }) };
  },
};

function noSuchSchema(names: readonly string[]): Problem {
  const paths = names.map((name) => `/schemas/${name}`).join(' and ');
  return new Problem('not_found', `There is no such schema. The schemas are ${paths}.`);
}

interface SchemaDocument {
  readonly body: { readonly rawJson: Buffer };
  readonly etag: string;
}

const documents = new WeakMap<JsonSchema, SchemaDocument>();

function documentOf(schema: JsonSchema): SchemaDocument {
  const cached = documents.get(schema);
  if (cached) return cached;
  const rawJson = Buffer.from(JSON.stringify(schema));
  const etag = `"${createHash('sha256').update(rawJson).digest('base64url').slice(0, 22)}"`;
  const document = { body: { rawJson }, etag };
  documents.set(schema, document);
  return document;
}

/** Returns true if `If-None-Match` names the tag. The comparison is weak (RFC 9110 section 13.1.2). */
function includesTag(condition: string | undefined, etag: string): boolean {
  const tags = (condition ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || condition?.trim() === '*';
}
