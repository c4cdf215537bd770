import type { OpenApiComponents, OpenApiOperation, OpenApiResponse } from '../core/openapi.js';
import { PROBLEMS } from '../core/problem-codes.js';
import type { JsonSchema } from '../core/schema.js';
import type { DescribedOperation } from '../core/operation.js';

/** Schema of every error response (RFC 9457 and the members of this API), for the API description. */
const problemSchema: JsonSchema = {
  type: 'object',
  required: [
    'type',
    'title',
    'status',
    'detail',
    'instance',
    'code',
    'message',
    'requestId',
    'recommendation',
  ],
  properties: {
    type: { type: 'string', description: 'urn:gatehouse:problem:<code>' },
    title: { type: 'string' },
    status: { type: 'integer', description: 'The HTTP status' },
    detail: { type: 'string', description: 'What went wrong, in one sentence' },
    instance: { type: 'string', description: 'Path of the request' },
    code: {
      type: 'string',
      enum: Object.keys(PROBLEMS),
      description: 'What went wrong, for programs',
      'x-problems': PROBLEMS,
    },
    message: { type: 'string', description: 'The same text as detail' },
    requestId: { type: 'string', description: 'Names the request in the log' },
    error: { type: 'string', description: 'Error word of OAuth 2.0 (RFC 6749), from /oauth/token alone' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer (RFC 6901) into the body' },
          message: { type: 'string' },
        },
      },
    },
    upstream: {
      type: 'object',
      required: ['status', 'body'],
      properties: {
        status: { type: 'integer' },
        body: { description: 'What the orchestrator answered: JSON, or its text' },
      },
    },
    recommendation: { type: 'string', description: 'What to do next, in one sentence' },
  },
};

/** The supported ways to authenticate. */
export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token in the header Authorization (RFC 6750)',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'Name and password, of a user or a client of the configuration, in the header Authorization (RFC 7617)',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'token',
    description:
      'A token as a cookie, as a login sets it; browsers send the header x-gatehouse-csrf: 1 with what changes something',
  },
  query: { type: 'apiKey', in: 'query', name: 'token', description: 'A token behind the "?" of the URL' },
} as const;

/** Response headers that are referenced more than once. */
export const RESPONSE_HEADERS: OpenApiComponents['headers'] = {
  RequestId: {
    description: 'Names the request in the log: the one that was sent, or a new one',
    required: true,
    schema: { type: 'string' },
  },
  CacheControl: { description: 'Nothing is to be kept', required: true, schema: { const: 'no-store' } },
  Challenge: {
    description: 'How to send a token (RFC 9110 section 11.6.1)',
    required: true,
    schema: { type: 'string' },
  },
  Allow: { description: 'With 405: the methods that the path answers', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds after which to try again', schema: { type: 'string' } },
};

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Headers of every response of this server. */
export const REPLY_HEADERS: NonNullable<OpenApiResponse['headers']> = {
  'x-request-id': header('RequestId'),
  'cache-control': header('CacheControl'),
};

/** Body of every error response. */
export const PROBLEM_CONTENT = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
} as const;

const STATUSES = ['400', '401', '403', '404', '413', '415', '503', 'default'];

/** Error responses by status; statuses without an entry share `default`. */
export const RESPONSES: OpenApiComponents['responses'] = Object.fromEntries([
  ...STATUSES.map((status) => [responseName(status), problemResponse(status)] as const),
  ...(['401', '403'] as const).map((status) => [pageName(status), refusedPage(status)] as const),
]);

/** Returns the name of the component that describes the refusal of a page. */
export function pageName(status: '401' | '403'): string {
  return `Page${status}`;
}

/** Returns the name of the component that describes the errors with a status, or `default`. */
export function responseName(status: string): string {
  return status === 'default' ? 'Problem' : `Problem${status}`;
}

function problemResponse(status: string): OpenApiResponse {
  const codes = Object.entries(PROBLEMS).filter(([, kind]) => String(kind.status) === status);
  return {
    description:
      status === 'default'
        ? 'The request failed; "code" says how, "recommendation" what to do next.'
        : `The request failed: ${codes.map(([code]) => code).join(', ')}.`,
    headers: {
      ...REPLY_HEADERS,
      ...(status === '401' && { 'www-authenticate': header('Challenge') }),
      ...(status === 'default' && { allow: header('Allow') }),
      ...(['503', 'default'].includes(status) && { 'retry-after': header('RetryAfter') }),
    },
    content: PROBLEM_CONTENT,
  };
}

function refusedPage(status: string): OpenApiResponse {
  const { description, ...rest } = problemResponse(status);
  return {
    ...rest,
    description: `${description} As a page for whoever asks for one.`,
    content: { ...PROBLEM_CONTENT, 'text/html': { schema: { type: 'string' } } },
  };
}

/** Returns the schemas of bodies, replies and problems by name. */
export function schemasOf(entries: readonly Entry[]): OpenApiComponents['schemas'] {
  const named = entries.flatMap(({ row, schemaName }) => [
    ...(row.body ? [[`${schemaName}Body`, row.body] as const] : []),
    ...(row.redirects === 'always' ? [] : [[`${schemaName}Reply`, row.reply] as const]),
  ]);
  return {
    Problem: problemSchema,
    ...Object.fromEntries(named.map(([name, schema]) => [name, moved(schema, name)])),
  };
}

/** Returns a schema for its new location, with references to its own parts adjusted. */
function moved(schema: JsonSchema, name: string): JsonSchema {
  const own = Object.entries(schema).filter(([key]) => !['$id', '$schema'].includes(key));
  return rebased(Object.fromEntries(own), `#/components/schemas/${name}`) as JsonSchema;
}

function rebased(value: unknown, base: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rebased(item, base));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    const local = key === '$ref' && typeof member === 'string' && member.startsWith('#');
    return [key, local ? base + member.slice(1) : rebased(member, base)] as const;
  });
  return Object.fromEntries(members);
}

/** An operation at one of its paths, for the API description. */
export interface Entry extends DescribedOperation {
  readonly path: string;
  /** Unique in the description. */
  readonly operationId: string;
  /** Name of the operation's schemas, shared by all its paths. */
  readonly schemaName: string;
  /** Roles that may currently call the operation. */
  readonly admitted: OpenApiOperation['x-roles'];
  /** True if the operation is deprecated in the described release. */
  readonly isOld: boolean;
}

/** Returns the name of the application that an operation belongs to. */
export function applicationOf({ name }: DescribedOperation): string {
  return name.slice(0, name.indexOf('.'));
}
