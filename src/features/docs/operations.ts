import { createHash } from 'node:crypto';
import type { Application, Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import type { OpenApiDocument } from '../../http/openapi-types.js';
import { parameterError, queryProblem } from '../../http/query-parameters.js';
import { documentReply, type TaggedDocument } from '../lib/tagged-document.js';
import { apiPage, STYLE_SOURCE } from './page.js';

/** Dependencies of the operation that returns the schemas of the configuration. */
interface ConfigSchemaDeps {
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

export interface DocumentationDeps extends ApiDescriptionDeps, ConfigSchemaDeps {}

interface ApiDescriptionDeps {
  /** Returns the current API description; the same object until the description changes. */
  readonly describeApi: () => OpenApiDocument;
}

/** Browsers keep the documents and ask each time whether they have changed; other caches keep none. */
const CACHE_CONTROL = 'private, no-cache';

const DOCUMENT_HEADERS = {
  etag: 'Version of the document, for If-None-Match',
  'cache-control': 'Only the caller may keep the document, and asks each time whether it has changed',
} as const;

export const getOpenApi: Operation<ApiDescriptionDeps> = {
  id: 'getOpenApi',
  summary: 'Get this API as an OpenAPI 3.1 document.',
  description:
    'Returns this description with the roles that are configured now. `url` becomes the address of the server in the document.',
  method: 'GET',
  path: '/help/openapi',
  aliases: [{ path: '/openapi.json', id: 'getOpenApiJson' }],
  roles: 'authenticated',
  conditional: true,
  query: {
    type: 'object',
    properties: {
      url: {
        type: 'string',
        format: 'uri',
        description: 'Base URL of this server for clients, which the document names as its server',
      },
    },
  },
  reply: {
    title: 'OpenAPI 3.1 document',
    type: 'object',
    required: ['openapi', 'info', 'servers', 'paths', 'components'],
    additionalProperties: true,
    properties: {
      openapi: { type: 'string' },
      info: { type: 'object' },
      servers: { type: 'array', items: { type: 'object' } },
      paths: { type: 'object' },
      components: { type: 'object' },
    },
  },
  replyHeaders: DOCUMENT_HEADERS,
  handle(call, { describeApi }) {
    const url = call.query.get('url');
    if (url === null) return documentReply(descriptionOf(describeApi()), call, CACHE_CONTROL);
    if (!isBaseUrl(url)) throw invalidBaseUrl();
    const described = taggedDocument(Buffer.from(JSON.stringify({ ...describeApi(), servers: [{ url }] })));
    return documentReply(described, call, CACHE_CONTROL);
  },
};

/**
 * Pattern of a base URL. Excludes braces, which would make the URL a template (OpenAPI 3.1 section 4.8.5),
 * and `@`, which may follow credentials.
 */
const BASE_URL = /^https?:\/\/[^\s"#<>?@\\^`{|}]{1,2000}$/i;

function isBaseUrl(text: string): boolean {
  return BASE_URL.test(text) && URL.canParse(text);
}

function invalidBaseUrl(): Problem {
  const expected = 'must be an absolute http or https URL without user, query and fragment';
  return queryProblem([parameterError('url', expected)]);
}

/** Headers of the page. The page loads and runs nothing, and its links do not send its URL. */
const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src '${STYLE_SOURCE}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
} as const;

/**
 * Returns the API description as one self-contained page. The page contains the same data as `getOpenApi`,
 * including the roles of this installation, so it also requires a token. Browsers send the token as a cookie.
 */
export const getDocs: Operation<ApiDescriptionDeps> = {
  id: 'getDocs',
  summary: 'Render this API as an HTML page.',
  description: 'Returns this description as one HTML page, which loads no other resource and runs no script.',
  method: 'GET',
  path: '/docs',
  roles: 'authenticated',
  conditional: true,
  reply: { title: 'API page', type: 'string' },
  replyType: 'text/html; charset=utf-8',
  replyHeaders: {
    'content-security-policy': 'The page loads no other resource and runs no script',
    'referrer-policy': 'Links on the page do not send its address',
    ...DOCUMENT_HEADERS,
  },
  handle(call, { describeApi }) {
    const reply = documentReply(pageOf(describeApi()), call, CACHE_CONTROL);
    return { ...reply, headers: { ...PAGE_HEADERS, ...reply.headers } };
  },
};

const descriptions = new WeakMap<OpenApiDocument, TaggedDocument>();

function descriptionOf(document: OpenApiDocument): TaggedDocument {
  const description = descriptions.get(document) ?? taggedDocument(Buffer.from(JSON.stringify(document)));
  descriptions.set(document, description);
  return description;
}

const pages = new WeakMap<OpenApiDocument, TaggedDocument>();

function pageOf(document: OpenApiDocument): TaggedDocument {
  const page = pages.get(document) ?? taggedDocument(apiPage(document));
  pages.set(document, page);
  return page;
}

/**
 * The application that describes the API, for programs and for people (wire 1.5), and the configuration for
 * editors. The description is generated from the operations.
 */
export const documentation: Application<DocumentationDeps> = {
  name: 'documentation',
  summary: 'This description, for programs and for people, and the schemas of the configuration.',
  prefixes: [''],
  operations: [getOpenApi, getDocs, getConfigSchema],
};

/** Creates the document of a text or of the bytes of a JSON document. */
function taggedDocument(content: string | Buffer): TaggedDocument {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  return { body: typeof content === 'string' ? content : { rawJson: content }, etag };
}
