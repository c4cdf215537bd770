import type { OperationRow } from '../core/operation.js';
import { CSRF_REQUEST_HEADER } from '../core/same-origin.js';
import type { JsonSchema } from '../core/schema.js';
import type { OpenApiEntry } from './openapi-components.js';
import type { OpenApiParameter } from './openapi-types.js';

/** A path parameter: percent-decoded text without control characters, which the server refuses in every path. */
export const PATH_TEXT: JsonSchema = { type: 'string', minLength: 1, pattern: '^[^\\x00-\\x1F\\x7F]+$' };

/** Returns the parameters of an operation: of its path, of its query, and the request headers that it reads. */
export function parametersOf({ path, row }: OpenApiEntry): readonly OpenApiParameter[] {
  return [...pathParametersOf(path, row), ...queryParametersOf(row.query), ...headerParametersOf(row)];
}

function pathParametersOf(path: string, { pathParameters = {} }: OperationRow): readonly OpenApiParameter[] {
  return [...path.matchAll(/:([^/]+)|\*$/g)].map(([, name]) => {
    if (name === undefined) return REST_PARAMETER;
    const { description, ...schema } = pathParameters[name] ?? PATH_TEXT;
    return {
      name,
      in: 'path',
      required: true,
      ...(typeof description === 'string' && { description }),
      schema,
    };
  });
}

const REST_PARAMETER: OpenApiParameter = {
  name: 'path',
  in: 'path',
  required: true,
  description: 'The rest of the path, with its slashes',
  schema: { type: 'string' },
  'x-rest': true,
};

function queryParametersOf(query: JsonSchema = {}): readonly OpenApiParameter[] {
  const { properties = {}, required = [] } = query as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema,
  }));
}

/** Headers that follow from other members of an operation. */
const HEADERS = {
  requestId: { 'X-Request-Id': 'Id of the request in the log and in the audit trail; default: a new id' },
  condition: { 'If-None-Match': 'Value of `etag` of a previous response; the reply is 304 if it is current' },
};

function headerParametersOf(row: OperationRow): readonly OpenApiParameter[] {
  const isChange = row.method !== 'GET' || row.changes === true;
  const headers = {
    ...row.requestHeaders,
    ...(row.conditional && HEADERS.condition),
    ...(row.audited && HEADERS.requestId),
    ...(isChange && row.roles !== 'public' && row.method !== 'ANY' && CSRF_REQUEST_HEADER),
  };
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
}
