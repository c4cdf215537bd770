import type {
  OpenApiContent,
  OpenApiHeader,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiReference,
  OpenApiResponse,
} from '../core/openapi.js';
import { PROBLEMS } from '../core/problem-codes.js';
import type { JsonSchema } from '../core/schema.js';
import {
  applicationOf,
  messageResponse,
  type OpenApiEntry,
  pageName,
  PROBLEM_CONTENT,
  REPLY_HEADERS,
  responseName,
  SECURITY_SCHEMES,
} from './openapi-components.js';

/** Describes an operation at one of its paths. */
export function operationObject(entry: OpenApiEntry): OpenApiOperation {
  const { row, operationId, admittedRoles, name } = entry;
  const parameters = [...pathParameters(entry.path), ...queryParametersOf(row.query)];
  return {
    operationId,
    summary: row.summary,
    description: rolesText(entry) + deprecationText(entry),
    tags: [applicationOf(entry)],
    ...deprecationOf(entry),
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && { requestBody: requestBodyOf(entry) }),
    responses: { ...successResponses(entry), ...problemResponses(entry) },
    security: securityOf(entry),
    'x-roles': admittedRoles,
    'x-operation': name,
  };
}

/**
 * Describes one method of an operation for any method. The orchestrator defines the requests and responses,
 * including cookies and the query. Only the Authorization header can therefore carry the token.
 */
export function streamObject(entry: OpenApiEntry): OpenApiOperation {
  const description = 'The response of the orchestrator: any status, any body.';
  return {
    ...operationObject(entry),
    security: entry.admittedRoles === 'public' ? [] : [{ bearer: [] }, { basic: [] }],
    responses: {
      '2XX': { description },
      '3XX': { description },
      '401': problemResponse('401'),
      default: {
        description: `${description} Or a problem of this server.`,
        content: { '*/*': {}, ...PROBLEM_CONTENT },
      },
    },
  };
}

const LOCATION_HEADER: OpenApiHeader = {
  description: 'Address at which to continue',
  required: true,
  schema: { type: 'string' },
};

function successResponses({
  row,
  schemaName,
  isDeprecated,
}: OpenApiEntry): Readonly<Record<string, OpenApiResponse>> {
  const headers = {
    ...REPLY_HEADERS,
    ...describedHeaders({ ...row.replyHeaders, ...(isDeprecated && DEPRECATION_HEADERS) }),
  };
  const content = replyContent(row.replyType, `${schemaName}Reply`);
  return {
    ...(row.redirects !== 'always' && { '200': { description: 'Done.', headers, content } }),
    ...(row.conditional && { '304': { description: 'The document that If-None-Match names is current.' } }),
    ...(row.redirects && {
      '303': {
        description: 'Continue at the address in "location".',
        headers: { ...headers, location: LOCATION_HEADER },
      },
    }),
  };
}

function requestBodyOf({ row, schemaName }: OpenApiEntry): NonNullable<OpenApiOperation['requestBody']> {
  const schema = { $ref: `#/components/schemas/${schemaName}Body` };
  const form = { 'application/x-www-form-urlencoded': { schema } };
  return {
    required: !row.bodyOptional,
    content: { ...(row.form && form), 'application/json': { schema } },
  };
}

/** Returns the accepted schemes; an empty alternative means that a token is optional. */
function securityOf({ row, admittedRoles }: OpenApiEntry): OpenApiOperation['security'] {
  const schemes = Object.keys(SECURITY_SCHEMES).map((scheme) => ({ [scheme]: [] }));
  if (admittedRoles !== 'public') return schemes;
  return row.optionalToken ? [{}, ...schemes] : [];
}

function rolesText({ row, admittedRoles: admitted }: OpenApiEntry): string {
  if (admitted === 'public')
    return row.optionalToken ? 'No token needed; more with a valid token.' : 'No token needed.';
  if (admitted === 'authenticated') return 'Any valid token.';
  return admitted.length > 0 ? `Roles: ${admitted.join(', ')}.` : 'No role may call it.';
}

/** Response headers of a deprecated operation. */
const DEPRECATION_HEADERS = {
  deprecation: 'Time at which the operation became deprecated (RFC 9745)',
  sunset: 'Time at which the operation is removed (RFC 8594)',
  link: 'Operations that replace it (RFC 8288)',
};

function deprecationOf({ isDeprecated, row: { deprecation } }: OpenApiEntry): Partial<OpenApiOperation> {
  if (!isDeprecated || !deprecation) return {};
  const { removedIn, replacements } = deprecation;
  return { deprecated: true, 'x-removed-in': removedIn, 'x-replaced-by': replacements };
}

function deprecationText({ isDeprecated, row: { deprecation } }: OpenApiEntry): string {
  if (!isDeprecated || !deprecation) return '';
  const { deprecatedIn, removedIn, replacements } = deprecation;
  const instead = replacements.length > 0 ? ` Use ${replacements.join(' or ')} instead.` : '';
  return ` Deprecated since release ${deprecatedIn}, removed in ${removedIn}.${instead}`;
}

function pathParameters(path: string): readonly OpenApiParameter[] {
  return [...path.matchAll(/:([^/]+)|\*$/g)].map(([, name]) => ({
    name: name ?? 'path',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(name === undefined && {
      description: 'The rest of the path, with its slashes',
      'x-rest': true as const,
    }),
  }));
}

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

function describedHeaders(headers: Readonly<Record<string, string>> = {}): OpenApiResponse['headers'] {
  const described = Object.entries(headers).map(
    ([name, description]) => [name, { description, schema: { type: 'string' } }] as const,
  );
  return Object.fromEntries(described);
}

function problemResponses({
  row,
  admittedRoles,
}: OpenApiEntry): Readonly<Record<string, OpenApiReference | OpenApiResponse>> {
  const statuses = [
    ...(row.body || row.query ? ['400'] : []),
    ...(row.body ? ['413', '415'] : []),
    ...(admittedRoles === 'public' ? [] : ['401', '403']),
    ...(row.path.includes(':') ? ['404'] : []),
    ...(row.audited ? ['503'] : []),
    'default',
  ];
  const isPage = row.replyType?.startsWith('text/html') === true;
  const messages = (row.messageErrors ?? []).map((code) => String(PROBLEMS[code].status));
  return {
    ...Object.fromEntries(
      statuses.map((status) => [status, isPage ? pageResponse(status) : problemResponse(status)]),
    ),
    ...Object.fromEntries(messages.map((status) => [status, messageResponse(status)])),
  };
}

/** Returns the reference to an error response of a page, which is HTML for browsers. */
function pageResponse(status: string): OpenApiReference {
  if (status !== '401' && status !== '403') return problemResponse(status);
  return { $ref: `#/components/responses/${pageName(status)}` };
}

function problemResponse(status: string): OpenApiReference {
  return { $ref: `#/components/responses/${responseName(status)}` };
}

function replyContent(type: string | undefined, schemaName: string): OpenApiContent {
  const [media = ''] = (type ?? 'application/json').split(';');
  return { [media]: { schema: { $ref: `#/components/schemas/${schemaName}` } } };
}
