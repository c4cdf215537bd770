import { PROBLEMS } from '../core/problem-codes.js';
import type { JsonSchema } from '../core/schema.js';
import { sentence } from '../lib/sentence.js';
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
import { parametersOf } from './openapi-parameters.js';
import type { SchemaComponents } from './openapi-schemas.js';
import type { OpenApiHeader, OpenApiOperation, OpenApiReference, OpenApiResponse } from './openapi-types.js';

/** Returns a schema as the description contains it. */
type Describe = SchemaComponents['describe'];

/** Describes an operation at one of its paths. */
export function operationObject(entry: OpenApiEntry, describe: Describe): OpenApiOperation {
  return {
    ...headOf(entry, describe),
    ...requestBodyOf(entry, describe),
    responses: { ...successResponses(entry, describe), ...problemResponses(entry) },
  };
}

/** Returns the members of an operation except its request body and its responses. */
function headOf(
  entry: OpenApiEntry,
  describe: Describe,
): Omit<OpenApiOperation, 'requestBody' | 'responses'> {
  const { row, operationId, admittedRoles, name } = entry;
  const parameters = parametersOf(entry).map((parameter) => ({
    ...parameter,
    schema: describe(parameter.schema),
  }));
  return {
    operationId,
    summary: row.summary,
    description: descriptionOf(entry),
    tags: [applicationOf(entry)],
    ...deprecationOf(entry),
    ...(parameters.length > 0 && { parameters }),
    security: securityOf(entry),
    'x-roles': admittedRoles,
    'x-operation': name,
  };
}

/**
 * Describes one method of an operation for any method. The orchestrator defines the requests and responses,
 * including cookies and the query. Only the Authorization header can therefore carry the token.
 */
export function streamObject(entry: OpenApiEntry, describe: Describe): OpenApiOperation {
  const description = 'The response of the orchestrator: any status, any body.';
  const failure = {
    description: `${description} Or a problem of this server.`,
    content: { '*/*': {}, ...PROBLEM_CONTENT },
  };
  const { '401': unauthorized, ...others } = problemResponses(entry);
  return {
    ...headOf(entry, describe),
    security: entry.admittedRoles === 'public' ? [] : [{ bearer: [] }, { basic: [] }, { mutualTLS: [] }],
    responses: {
      '2XX': { description },
      '3XX': { description },
      ...(unauthorized && { '401': unauthorized }),
      ...Object.fromEntries(Object.keys(others).map((status) => [status, failure])),
    },
  };
}

function descriptionOf(entry: OpenApiEntry): string {
  const { row, operationId, firstId } = entry;
  const alias =
    operationId === firstId ? undefined : `The same operation as \`${firstId}\`, at another path.`;
  return [row.description, alias, rolesText(entry), deprecationText(entry)].filter(Boolean).join(' ');
}

const LOCATION_HEADER: OpenApiHeader = {
  description: 'Address at which to continue',
  required: true,
  schema: { type: 'string' },
};

function successResponses(
  { row, firstId, isDeprecated, example = {} }: OpenApiEntry,
  describe: Describe,
): Readonly<Record<string, OpenApiResponse>> {
  const headers = {
    ...REPLY_HEADERS,
    ...describedHeaders({ ...row.replyHeaders, ...(isDeprecated && DEPRECATION_HEADERS) }),
  };
  const [media = ''] = (row.replyType ?? 'application/json').split(';');
  const schema = named(row.reply, `${firstId} reply`);
  return {
    ...(row.redirects !== 'always' && {
      '200': {
        description: replyText(schema),
        headers,
        content: { [media]: { schema: describe(schema), ...exampleOf(example.reply) } },
      },
    }),
    ...(row.conditional && { '304': { description: 'The document that If-None-Match names is current.' } }),
    ...(row.redirects && {
      '303': {
        description: 'Continue at the address in "location".',
        headers: { ...headers, location: LOCATION_HEADER },
      },
    }),
  };
}

function requestBodyOf(
  { row, firstId, example = {} }: OpenApiEntry,
  describe: Describe,
): Pick<OpenApiOperation, 'requestBody'> {
  if (!row.body) return {};
  const media = {
    schema: describe(named(row.body, `${firstId} body`)),
    ...exampleOf(example.body),
  };
  const form = { 'application/x-www-form-urlencoded': media };
  const content = { ...(row.form && form), 'application/json': media };
  return { requestBody: { required: !row.bodyOptional, content } };
}

function exampleOf(example: unknown): { readonly example?: unknown } {
  return example === undefined ? {} : { example };
}

/** Gives a schema without a title a title, so that each body and each reply is a component. */
function named(schema: JsonSchema, title: string): JsonSchema {
  return { title, ...schema };
}

/** Returns the description of a reply: the title of its schema, and the description of the schema. */
function replyText({ title, description }: JsonSchema): string {
  const meaning = typeof description === 'string' ? `: ${description}` : '';
  return sentence(`${String(title)}${meaning}`);
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
  return `Deprecated since release ${deprecatedIn}, removed in ${removedIn}.${instead}`;
}

function describedHeaders(headers: Readonly<Record<string, string>> = {}): OpenApiResponse['headers'] {
  const described = Object.entries(headers).map(
    ([name, description]) => [name, { description, schema: { type: 'string' } }] as const,
  );
  return Object.fromEntries(described);
}

/** Returns the error responses by status; a malformed request, and a limit of callers, are possible for every operation. */
function problemResponses({
  row,
  admittedRoles,
  component,
}: OpenApiEntry): Readonly<Record<string, OpenApiReference | OpenApiResponse>> {
  const isPublic = admittedRoles === 'public';
  const statuses = [
    '400',
    '429',
    ...(row.body ? ['413', '415'] : []),
    ...(isPublic ? [] : ['401', '403']),
    ...(row.audited === true || component !== undefined || !isPublic ? ['503'] : []),
    ...(row.problems ?? []).map((code) => String(PROBLEMS[code].status)),
  ];
  const isPage = row.replyType?.startsWith('text/html') === true;
  const sorted = [...new Set(statuses)].sort();
  const messages = (row.messageErrors ?? []).map((code) => String(PROBLEMS[code].status));
  return {
    ...Object.fromEntries(
      [...sorted, 'default'].map((status) => [
        status,
        isPage ? pageResponse(status) : problemResponse(status),
      ]),
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
