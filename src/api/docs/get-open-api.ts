import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { DocumentationDeps } from './deps.js';

const querySchema = {
  type: 'object',
  properties: {
    url: {
      type: 'string',
      format: 'uri',
      description: 'Where clients find this server: the document names it as its server',
    },
  },
} as const;

const replySchema = {
  title: 'OpenAPI 3.1 document',
  type: 'object',
  required: ['openapi', 'info', 'servers', 'paths', 'components'],
  properties: {
    openapi: { type: 'string' },
    info: { type: 'object' },
    servers: { type: 'array', items: { type: 'object' } },
    paths: { type: 'object' },
    components: { type: 'object' },
  },
} as const;

/** Returns the API description of this server with the currently configured roles (wire 1.5). */
export const getOpenApi: Operation<DocumentationDeps> = {
  id: 'getOpenApi',
  summary: 'Get this API as an OpenAPI 3.1 document.',
  method: 'GET',
  path: '/help/openapi',
  aliases: ['/openapi.json'],
  roles: 'authenticated',
  query: querySchema,
  reply: replySchema,
  handle({ query }, { describeApi }) {
    const url = query.get('url');
    if (url === null) return { body: describeApi() };
    if (!isBaseUrl(url)) throw noBaseUrl();
    return { body: { ...describeApi(), servers: [{ url }] } };
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

function noBaseUrl(): Problem {
  const message = 'parameter url must be an absolute http or https URL without user, query and fragment';
  return new Problem('invalid_request', `The query ${message}.`, {
    errors: [{ pointer: '/query/url', message }],
  });
}
