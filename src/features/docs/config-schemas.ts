import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import { documentReply, type TaggedDocument } from '../lib/tagged-document.js';
import { taggedDocument } from './document.js';

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
  handle(call, { configSchemas }) {
    const { name = '' } = call.params;
    const schemas = configSchemas();
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (!schema) throw noSuchSchema(Object.keys(schemas));
    return documentReply(documentOf(schema), call, `public, max-age=${MAX_AGE_SECONDS}`);
  },
};

function noSuchSchema(names: readonly string[]): Problem {
  const paths = names.map((name) => `/schemas/${name}`).join(' and ');
  return new Problem('not_found', `There is no such schema. The schemas are ${paths}.`);
}

const documents = new WeakMap<JsonSchema, TaggedDocument>();

function documentOf(schema: JsonSchema): TaggedDocument {
  const document = documents.get(schema) ?? taggedDocument(Buffer.from(JSON.stringify(schema)));
  documents.set(schema, document);
  return document;
}
