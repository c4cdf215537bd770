import { headerNamePattern } from '../core/header.js';
import type { JsonSchema } from '../core/schema.js';
import { choice, flag, LONGEST_MS, optionalText, secret, section, text } from './schema-parts.js';

const NAME_PATTERN = '^[A-Za-z][A-Za-z0-9_]*$';
/** Maximum nesting of a body that may hold secrets. */
const BODY_DEPTH = 6;

const headerNames: JsonSchema = {
  type: 'string',
  maxLength: 256,
  pattern: headerNamePattern(['content-encoding']),
  'x-hint': 'must be a header name, and none that belongs to the connection (Host, Content-Length, ...)',
};

/** Returns the schema of a map of secrets by name. */
function secrets(title: string, description: string, more: JsonSchema = {}): JsonSchema {
  return {
    title,
    description,
    type: 'object',
    additionalProperties: secret('Value', 'May hold {names} of what earlier steps took.', { minLength: 0 }),
    ...more,
  };
}

/** Returns the schema of any JSON value in which every text is a secret. */
function bodyOf(depth: number): JsonSchema {
  const types = ['string', 'number', 'boolean', 'null'];
  if (depth === 0) return { type: types, 'x-secret': true };
  const inner = bodyOf(depth - 1);
  return { type: [...types, 'object', 'array'], 'x-secret': true, additionalProperties: inner, items: inner };
}

const request: JsonSchema = section(
  ['Request', 'Sent below the base URL. Texts may hold {names} of what earlier steps took.'],
  {
    method: choice('Method', 'HTTP method.', ['POST', 'GET', 'PUT']),
    path: text('Path', 'Path below the base URL, with its query.', {
      pattern: '^/',
      'x-hint': 'must start with "/"',
    }),
    headers: secrets('Headers', 'More headers.', { propertyNames: headerNames, default: {} }),
    basic: section(
      ['Basic', 'User and password as HTTP Basic.'],
      {
        username: secret('User name', 'Holds no colon.', {}),
        password: secret('Password', 'Password of the user.', {}),
      },
      { required: ['username', 'password'] },
    ),
    body: {
      title: 'Body',
      description: 'Sent as JSON.',
      type: 'object',
      additionalProperties: bodyOf(BODY_DEPTH),
    },
    form: secrets('Form', 'Sent as application/x-www-form-urlencoded.'),
  },
  {
    required: ['path'],
    if: { required: ['form'], properties: { form: true } },
    then: { properties: { body: false } },
  },
);

const step: JsonSchema = section(
  ['Step', 'One request of the login.'],
  {
    request,
    take: {
      title: 'Take',
      description:
        'What to take out of the reply, by name: a JSON pointer, an empty text for the whole body, header:<name> or cookie:<name>.',
      type: 'object',
      default: {},
      propertyNames: {
        type: 'string',
        pattern: NAME_PATTERN,
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
      'Text in a reply of success that means that the login was refused, for example <html.',
    ),
  },
  { required: ['request'] },
);

/** Keys of the variant `login` of `auth`. */
export const loginKeys: Readonly<Record<string, JsonSchema>> = {
  steps: {
    title: 'Steps',
    description: 'The requests of a login, in order; cookies of one step go with the next ones.',
    type: 'array',
    minItems: 1,
    maxItems: 8,
    items: step,
  },
  apply: section(['Apply', 'What goes with every call.'], {
    header: optionalText(
      'Header',
      'A header with {names} of what the steps took, for example "X-Auth-Token: {token}".',
      { pattern: '^[^:\\s]+:\\s*\\S.*$', 'x-hint': 'must be a header line such as "X-Auth-Token: {token}"' },
    ),
    headers: {
      title: 'Headers',
      description: 'More headers, by name.',
      type: 'object',
      default: {},
      propertyNames: headerNames,
      additionalProperties: { type: 'string', minLength: 1 },
    },
    cookies: flag('Cookies', 'True sends the cookies that the steps were given.', true),
  }),
  expiresIn: {
    title: 'Expires in',
    description:
      'Life of the session: seconds, or a JSON pointer to them in a reply of a step; null when nothing tells.',
    type: ['integer', 'string', 'null'],
    minimum: 1,
    maximum: Math.floor(LONGEST_MS / 1000),
    pattern: '^/',
    'x-hint': 'must be seconds, or a JSON pointer such as /expires_in',
    default: null,
  },
  refreshOn: {
    title: 'Refresh on',
    description: 'Statuses that say that the session is over.',
    type: 'array',
    uniqueItems: true,
    items: { type: 'integer', minimum: 300, maximum: 499 },
    default: [401],
  },
  loginPage: optionalText(
    'Login page',
    'Text of the HTML page that the orchestrator sends with a status of success when the session is over; null when it sends none.',
  ),
};
