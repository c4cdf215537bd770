import { headerNamePattern } from '../core/header.js';
import type { JsonSchema } from '../core/schema.js';
import {
  choice,
  flag,
  MAX_TIMEOUT_MS,
  optionalText,
  secret,
  section,
  text,
  URL_PATTERN,
} from './schema-parts.js';

const STEP_NAME_PATTERN = '^[A-Za-z][A-Za-z0-9_]*$';
/** Maximum nesting of a body that may hold secrets. */
const MAX_BODY_DEPTH = 6;

const headerNames = {
  type: 'string',
  maxLength: 256,
  pattern: headerNamePattern(['content-encoding']),
  'x-hint': 'must be a header name; headers of the connection (Host, Content-Length, ...) are not allowed',
} as const;

function secretMap<const K extends JsonSchema = JsonSchema>(
  title: string,
  description: string,
  keywords?: K,
) {
  const map = {
    title,
    description,
    type: 'object',
    additionalProperties: secret('Value', 'May contain a {name} for each value that earlier steps took.', {
      minLength: 0,
    }),
  } as const;
  return { ...map, ...keywords } as typeof map & K;
}

/** Returns the schema of a JSON value with at most `depth` nested levels, in which every string is a secret. */
function bodySchema(depth: number): JsonSchema {
  const types = ['string', 'number', 'boolean', 'null'];
  if (depth === 0) return { type: types, 'x-secret': true };
  const inner = bodySchema(depth - 1);
  return { type: [...types, 'object', 'array'], 'x-secret': true, additionalProperties: inner, items: inner };
}

const request = section(
  ['Request', 'Sent below the base URL. Texts may contain a {name} for each value that earlier steps took.'],
  {
    method: choice('Method', 'HTTP method.', ['POST', 'GET', 'PUT']),
    path: text('Path', 'Path below the base URL, with its query.', {
      pattern: '^/',
      'x-hint': 'must start with "/"',
    }),
    headers: secretMap('Headers', 'Additional headers.', { propertyNames: headerNames, default: {} }),
    basic: section(
      ['Basic', 'User and password as HTTP Basic.'],
      {
        username: secret('User name', 'Name of the user, without a colon.', {}),
        password: secret('Password', 'Password of the user.', {}),
      },
      { required: ['username', 'password'] },
    ),
    body: {
      title: 'Body',
      description: 'Request body, sent as JSON.',
      type: 'object',
      additionalProperties: bodySchema(MAX_BODY_DEPTH),
    },
    form: secretMap('Form', 'Request body, sent as application/x-www-form-urlencoded.'),
  },
  {
    required: ['path'],
    if: { required: ['form'], properties: { form: true } },
    then: { properties: { body: false } },
  },
);

const step = section(
  ['Step', 'One request of the login.'],
  {
    request,
    take: {
      title: 'Take',
      description:
        'Values to take from the reply, by name: a JSON pointer, an empty text for the whole body, header:<name> or cookie:<name>.',
      type: 'object',
      default: {},
      propertyNames: {
        type: 'string',
        pattern: STEP_NAME_PATTERN,
        'x-hint': 'must be letters, digits and "_", beginning with a letter',
      },
      additionalProperties: {
        type: 'string',
        pattern: '^(?:|/.*|header:[!-~]+|cookie:[!-~]+)$',
        'x-hint': 'must be a JSON pointer such as /token, "", header:<name> or cookie:<name>',
      },
    },
    refusedBy: optionalText(
      'Refused by',
      'Text in a successful reply that means that the login was rejected, for example <html.',
    ),
  },
  { required: ['request'] },
);

/** Keys of the variant `login` of `auth`. */
const loginKeys = {
  steps: {
    title: 'Steps',
    description: 'Requests of the login, in order. The cookies of a step are sent with the later steps.',
    type: 'array',
    minItems: 1,
    maxItems: 8,
    items: step,
  },
  apply: section(['Apply', 'Headers and cookies that every call carries.'], {
    header: optionalText(
      'Header',
      'Header with a {name} for each value that the steps took, for example "X-Auth-Token: {token}".',
      { pattern: '^[^:\\s]+:\\s*\\S.*$', 'x-hint': 'must be a header line such as "X-Auth-Token: {token}"' },
    ),
    headers: {
      title: 'Headers',
      description: 'Additional headers, by name.',
      type: 'object',
      default: {},
      propertyNames: headerNames,
      additionalProperties: { type: 'string', minLength: 1 },
    },
    cookies: flag('Cookies', 'True sends the cookies that the steps received.', true),
  }),
  expiresIn: {
    title: 'Expires in',
    description:
      'Lifetime of the session: seconds, or a JSON pointer to the seconds in the reply of a step; null if unknown.',
    type: ['integer', 'string', 'null'],
    minimum: 1,
    maximum: Math.floor(MAX_TIMEOUT_MS / 1000),
    pattern: '^/',
    'x-hint': 'must be seconds, or a JSON pointer such as /expires_in',
    default: null,
  },
  refreshOn: {
    title: 'Refresh on',
    description: 'Statuses that mean that the session has ended.',
    type: 'array',
    uniqueItems: true,
    items: { type: 'integer', minimum: 300, maximum: 499 },
    default: [401],
  },
  loginPage: optionalText(
    'Login page',
    'Text of the HTML page that the orchestrator sends with a successful status when the session has ended; null if it sends no such page.',
  ),
} as const;

/** Returns the schema of one authentication method. Keys without a default are required. */
function variant<const T extends string, const P extends Readonly<Record<string, JsonSchema>>>(
  type: T,
  description: string,
  properties: P,
) {
  const tag = { title: 'Type', description, type: 'string', const: type } as const;
  const required = Object.keys(properties).filter((key) => !('default' in (properties[key] ?? {})));
  const names = ['type', ...required] as readonly ('type' | (keyof P & string))[];
  return section([type, description], { type: tag, ...properties }, { required: names });
}

const HEADER_VALUE =
  '^[\\u0021-\\u007e\\u0080-\\u00ff](?:[\\t\\u0020-\\u007e\\u0080-\\u00ff]*[\\u0021-\\u007e\\u0080-\\u00ff])?$';

const basic = variant('basic', 'HTTP Basic (RFC 7617).', {
  username: text('User name', 'Name of the user, without a colon.', {
    pattern: '^[^:\\u0000-\\u001f\\u007f]+$',
    'x-hint': 'must be a user name without colons and control characters',
  }),
  password: secret('Password', 'Password of the user.', {
    pattern: '^[^\\u0000-\\u001f\\u007f]+$',
    'x-hint': 'must be a password without control characters (is there a newline at its end?)',
  }),
});

const bearer = variant('bearer', 'A token as in "Authorization: Bearer <token>" (RFC 6750).', {
  token: secret('Token', 'The token.', {
    pattern: '^[\\u0021-\\u007e]+$',
    'x-hint': 'must be a token without spaces and control characters (is there a newline at its end?)',
  }),
});

const header = variant('header', 'A secret in a header.', {
  name: text('Header name', 'Name of the header, for example X-Auth-Token.', {
    maxLength: 256,
    pattern: headerNamePattern(['content-encoding']),
    'x-hint':
      'must be a header name such as X-Auth-Token; headers of the connection (Host, Content-Length, ...) are not allowed',
  }),
  value: secret('Header value', 'Value of the header.', {
    pattern: HEADER_VALUE,
    'x-hint': 'must be a header value: one line without outer spaces (is there a newline at its end?)',
  }),
});

const query = variant(
  'query',
  'A secret in a query parameter. Prefer a header if the orchestrator accepts one.',
  {
    name: text('Parameter name', 'Name of the parameter, for example apikey.', {
      maxLength: 256,
      pattern: '^[A-Za-z0-9._~-]+$',
      'x-hint': 'must be letters, digits, ".", "_", "~" and "-"',
    }),
    value: secret('Parameter value', 'Value of the parameter, not percent-encoded.', {
      pattern: '^[^\\u0000-\\u001f\\u007f]+$',
      'x-hint': 'must be a text without control characters (is there a newline at its end?)',
    }),
  },
);

/** Schema of the variant `oauth2` of `auth`. */
export const oauth2Schema = variant('oauth2', 'OAuth 2.0 client credentials (RFC 6749 section 4.4).', {
  tokenUrl: text('Token URL', 'URL of the token endpoint.', {
    pattern: URL_PATTERN,
    'x-hint': 'must be an http or https URL without credentials and fragment',
  }),
  clientId: text('Client id', 'Id of the client.', { minLength: 1 }),
  clientSecret: secret('Client secret', 'Secret of the client.', {}),
  scope: optionalText('Scope', 'Scopes to request, separated by spaces; null requests none.'),
  clientAuth: choice(
    'Client authentication',
    'Authentication of the client. basic: HTTP Basic; body: id and secret in the request body.',
    ['basic', 'body'],
  ),
  encoding: choice(
    'Encoding',
    'Encoding of the request. form: as RFC 6749 requires; json: as JSON, and basic sends the id and the secret without URL encoding.',
    ['form', 'json'],
  ),
});

/** Schema of the variant `login` of `auth`. */
export const loginSchema = variant(
  'login',
  'Requests that create a session, and the values of their replies that every call carries.',
  loginKeys,
);

/** Schema of the key `auth`. */
export const adapterAuthSchema = {
  title: 'Credentials',
  description: 'Authentication of calls at the orchestrator.',
  type: 'object',
  default: { type: 'none' },
  discriminator: { propertyName: 'type' },
  oneOf: [variant('none', 'No credentials.', {}), basic, bearer, header, query, oauth2Schema, loginSchema],
} as const;
