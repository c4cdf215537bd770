import type {
  OpenApiContent,
  OpenApiHeader,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiReference,
  OpenApiResponse,
} from '../core/openapi.js';
import type { JsonSchema } from '../core/schema.js';
import {
  applicationOf,
  type Entry,
  pageName,
  PROBLEM_CONTENT,
  REPLY_HEADERS,
  responseName,
  SECURITY_SCHEMES,
} from './openapi-components.js';

/** Describes an operation at one of its paths. */
export function operationObject(entry: Entry): OpenApiOperation {
  const { row, operationId, admitted, name } = entry;
  const parameters = [...pathParametersOf(entry.path), ...queryParametersOf(row.query)];
  return {
    operationId,
    summary: row.summary,
    description: admission(admitted) + farewell(entry),
    tags: [applicationOf(entry)],
    ...deprecationOf(entry),
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && { requestBody: requestBodyOf(entry) }),
    responses: { ...doneResponses(entry), ...problemResponses(entry) },
    security: admitted === 'public' ? [] : Object.keys(SECURITY_SCHEMES).map((scheme) => ({ [scheme]: [] })),
    'x-roles': admitted,
    'x-operation': name,
  };
}

/**
 * Describes an operation for any method at one method. The orchestrator defines requests and replies,
 * including cookies and the query, so only the Authorization header can carry the token.
 */
export function streamObject(entry: Entry): OpenApiOperation {
  const passed = 'What the orchestrator answers: any status, any body.';
  return {
    ...operationObject(entry),
    security: entry.admitted === 'public' ? [] : [{ bearer: [] }, { basic: [] }],
    responses: {
      '2XX': { description: passed },
      '3XX': { description: passed },
      '401': problemResponse('401'),
      default: {
        description: `${passed} Or a problem of this server.`,
        content: { '*/*': {}, ...PROBLEM_CONTENT },
      },
    },
  };
}

const LOCATION: OpenApiHeader = {
  description: 'Where to go on',
  required: true,
  schema: { type: 'string' },
};

function doneResponses({ row, schemaName, isOld }: Entry): Readonly<Record<string, OpenApiResponse>> {
  const headers = { ...REPLY_HEADERS, ...ownHeadersOf({ ...row.replyHeaders, ...(isOld && NOTICE) }) };
  const content = replyContent(row.replyType, `${schemaName}Reply`);
  return {
    ...(row.redirects !== 'always' && { '200': { description: 'Done.', headers, content } }),
    ...(row.redirects && {
      '303': { description: 'Go on at "location".', headers: { ...headers, location: LOCATION } },
    }),
  };
}

function requestBodyOf({ row, schemaName }: Entry): NonNullable<OpenApiOperation['requestBody']> {
  const schema = { $ref: `#/components/schemas/${schemaName}Body` };
  const form = { 'application/x-www-form-urlencoded': { schema } };
  return {
    required: !row.bodyOptional,
    content: { ...(row.form && form), 'application/json': { schema } },
  };
}

function admission(admitted: Entry['admitted']): string {
  if (admitted === 'public') return 'No token needed.';
  if (admitted === 'authenticated') return 'Any valid token.';
  return admitted.length > 0 ? `Roles: ${admitted.join(', ')}.` : 'Nobody may call it.';
}

/** Response headers of a deprecated operation. */
const NOTICE = {
  deprecation: 'When it became deprecated (RFC 9745)',
  sunset: 'When it is removed (RFC 8594)',
  link: 'What is in its place (RFC 8288)',
};

function deprecationOf({ isOld, row: { deprecation } }: Entry): Partial<OpenApiOperation> {
  if (!isOld || !deprecation) return {};
  const { removedIn, replacements } = deprecation;
  return { deprecated: true, 'x-removed-in': removedIn, 'x-replaced-by': replacements };
}

function farewell({ isOld, row: { deprecation } }: Entry): string {
  if (!isOld || !deprecation) return '';
  const { deprecatedIn, removedIn, replacements } = deprecation;
  const instead = replacements.length > 0 ? ` Use ${replacements.join(' or ')} instead.` : '';
  return ` Deprecated since release ${deprecatedIn}, removed in ${removedIn}.${instead}`;
}

function pathParametersOf(path: string): readonly OpenApiParameter[] {
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

function ownHeadersOf(headers: Readonly<Record<string, string>> = {}): OpenApiResponse['headers'] {
  const described = Object.entries(headers).map(
    ([name, description]) => [name, { description, schema: { type: 'string' } }] as const,
  );
  return Object.fromEntries(described);
}

function problemResponses({ row, admitted }: Entry): Readonly<Record<string, OpenApiReference>> {
  const statuses = [
    ...(row.body || row.query ? ['400'] : []),
    ...(row.body ? ['413', '415'] : []),
    ...(admitted === 'public' ? [] : ['401', '403']),
    ...(row.path.includes(':') ? ['404'] : []),
    ...(row.audited ? ['503'] : []),
    'default',
  ];
  const isPage = row.replyType?.startsWith('text/html') === true;
  return Object.fromEntries(
    statuses.map((status) => [status, isPage ? pageResponse(status) : problemResponse(status)]),
  );
}

/** Refers to the refusal of a page, which is HTML for people. */
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
