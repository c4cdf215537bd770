import type { DescribedOperation } from '../core/operation.js';
import { PROBLEMS } from '../core/problem-codes.js';
import type { JsonSchema } from '../core/schema.js';
import type { OpenApiComponents, OpenApiOperation, OpenApiResponse } from './openapi-types.js';

/** An operation at one of its paths, for the API description. */
export interface OpenApiEntry extends DescribedOperation {
  readonly path: string;
  /** Unique in the description. */
  readonly operationId: string;
  /** Id of the operation at its first path. */
  readonly firstId: string;
  /** Roles that may currently call the operation. */
  readonly admittedRoles: OpenApiOperation['x-roles'];
  /** True if the operation is deprecated in the described release. */
  readonly isDeprecated: boolean;
}

/** Returns the name of the operation's application. */
export function applicationOf({ name }: DescribedOperation): string {
  return name.slice(0, name.indexOf('.'));
}

/** Schema of every error response: RFC 9457 and the additional members of this API. */
export const PROBLEM_SCHEMA: JsonSchema = {
  title: 'Problem',
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
      description: 'Code of the problem, for programs',
      'x-problems': PROBLEMS,
    },
    message: { type: 'string', description: 'The same text as detail' },
    requestId: { type: 'string', description: 'Identifies the request in the log' },
    error: { type: 'string', description: 'Error code of OAuth 2.0 (RFC 6749), only from /oauth/token' },
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
        location: {
          type: 'string',
          description:
            'Target of a redirect. Below the base URL of the adapter, it is a path that params.path accepts.',
        },
        body: { description: 'Response body of the orchestrator: JSON, or text' },
      },
    },
    recommendation: { type: 'string', description: 'What to do next, in one sentence' },
  },
};

/** Supported authentication schemes. */
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
      'A token in the cookie that a login sets; browsers over TLS use the name __Host-token. Browsers also send the header x-gatehouse-csrf: 1 with requests that change something',
  },
  query: { type: 'apiKey', in: 'query', name: 'token', description: 'A token in the query of the URL' },
  mutualTLS: {
    type: 'mutualTLS',
    description:
      'A client certificate instead of a token, if the server has `server.tls.clientCertificates`; the configuration gives its owner roles',
  },
} as const;

/** Response headers that more than one response has. */
export const RESPONSE_HEADERS: OpenApiComponents['headers'] = {
  RequestId: {
    description: 'Identifies the request in the log: the id that was sent, or a new id',
    required: true,
    schema: { type: 'string' },
  },
  CacheControl: {
    description: 'Caches must not store the response',
    required: true,
    schema: { type: 'string', const: 'no-store' },
  },
  Challenge: {
    description: 'How to send a token (RFC 9110 section 11.6.1)',
    required: true,
    schema: { type: 'string' },
  },
  Allow: { description: 'With 405: the methods that the path accepts', schema: { type: 'string' } },
  RateLimit: {
    description:
      'Calls that the limits of the caller permit now (r), and seconds until a full burst (t); only if a limit applies',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'Limits of the caller: calls (q) in a period of seconds (w); only if a limit applies',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait before a retry', schema: { type: 'string' } },
};

const headerReference = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Headers of every response of this server. */
export const REPLY_HEADERS: NonNullable<OpenApiResponse['headers']> = {
  'x-request-id': headerReference('RequestId'),
  'cache-control': headerReference('CacheControl'),
  ratelimit: headerReference('RateLimit'),
  'ratelimit-policy': headerReference('RateLimitPolicy'),
};

/** Body of every error response. */
export const PROBLEM_CONTENT = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
} as const;

/** Statuses of the problems that operations list; `default` describes all others. */
const DESCRIBED_STATUSES = [
  ...[
    '400',
    '401',
    '403',
    '404',
    '409',
    '412',
    '413',
    '415',
    '422',
    '429',
    '500',
    '502',
    '503',
    '504',
    '507',
  ],
  'default',
];

/** Error responses by component name. */
export const RESPONSES: OpenApiComponents['responses'] = Object.fromEntries([
  ...DESCRIBED_STATUSES.map((status) => [responseName(status), problemResponse(status)] as const),
  ...(['401', '403'] as const).map((status) => [pageName(status), pageProblemResponse(status)] as const),
]);

/** Returns the component name of the response that refuses a page. */
export function pageName(status: '401' | '403'): string {
  return `Page${status}`;
}

/** Returns the component name of the error responses with a status, or with `default`. */
export function responseName(status: string): string {
  return status === 'default' ? 'Problem' : `Problem${status}`;
}

function problemResponse(status: string): OpenApiResponse {
  const codes = Object.entries(PROBLEMS).filter(([, kind]) => String(kind.status) === status);
  return {
    description:
      status === 'default'
        ? 'The request failed; "code" identifies the problem, "recommendation" says what to do next.'
        : `The request failed: ${codes.map(([code]) => code).join(', ')}.`,
    headers: {
      ...REPLY_HEADERS,
      ...(status === '401' && { 'www-authenticate': headerReference('Challenge') }),
      ...(status === 'default' && { allow: headerReference('Allow') }),
      ...(['429', '503', 'default'].includes(status) && { 'retry-after': headerReference('RetryAfter') }),
    },
    content: PROBLEM_CONTENT,
  };
}

/** Returns the error response of an operation whose clients may get the message as a JSON string. */
export function messageResponse(status: string): OpenApiResponse {
  const message = { type: 'string', description: 'The message alone' } as const;
  return {
    ...problemResponse(status),
    content: { ...PROBLEM_CONTENT, 'application/json': { schema: message } },
  };
}

function pageProblemResponse(status: string): OpenApiResponse {
  const { description, ...rest } = problemResponse(status);
  return {
    ...rest,
    description: `${description} Browsers receive a page.`,
    content: { ...PROBLEM_CONTENT, 'text/html': { schema: { type: 'string' } } },
  };
}
