import { headerNamePattern } from '../core/header.js';
import type { JsonSchema } from '../core/schema.js';
import { loginKeys } from './adapter-login-schema.js';
import { choice, optionalText, secret, section, text, URL_PATTERN } from './schema-parts.js';

/** Returns the schema of one authentication method. Keys without a default are required. */
function variant(
  type: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const tag = { title: 'Type', description, type: 'string', const: type };
  const required = Object.keys(properties).filter((key) => !('default' in (properties[key] ?? {})));
  return section([type, description], { type: tag, ...properties }, { required: ['type', ...required] });
}

const HEADER_VALUE =
  '^[\\u0021-\\u007e\\u0080-\\u00ff](?:[\\t\\u0020-\\u007e\\u0080-\\u00ff]*[\\u0021-\\u007e\\u0080-\\u00ff])?$';

const basic = variant('basic', 'HTTP Basic (RFC 7617).', {
  username: text('User name', 'Holds no colon.', {
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

const header = variant('header', 'A header of its own.', {
  name: text('Header name', 'Name of the header, for example X-Auth-Token.', {
    maxLength: 256,
    pattern: headerNamePattern(['content-encoding']),
    'x-hint':
      'must be a header name such as X-Auth-Token, and none that belongs to the connection (Host, Content-Length, ...)',
  }),
  value: secret('Header value', 'Value of the header.', {
    pattern: HEADER_VALUE,
    'x-hint': 'must be a header value: one line without outer spaces (is there a newline at its end?)',
  }),
});

const query = variant(
  'query',
  'A parameter of the query. A header is better where the orchestrator takes one.',
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

const oauth2 = variant('oauth2', 'OAuth 2.0 client credentials (RFC 6749 section 4.4).', {
  tokenUrl: text('Token URL', 'URL of the token endpoint.', {
    pattern: URL_PATTERN,
    'x-hint': 'must be an http or https URL without credentials and fragment',
  }),
  clientId: text('Client id', 'Id of the client.', { minLength: 1 }),
  clientSecret: secret('Client secret', 'Secret of the client.', {}),
  scope: optionalText('Scope', 'Scopes to ask for, separated by spaces; null for none.'),
  clientAuth: choice('Client authentication', 'basic: as HTTP Basic; body: in the body of the request.', [
    'basic',
    'body',
  ]),
  encoding: choice(
    'Encoding',
    'form: as the RFC wants it; json: for servers that want JSON, and the id and secret of basic as they are.',
    ['form', 'json'],
  ),
});

/** Schema of the key `auth`. */
export const adapterAuthSchema: JsonSchema = {
  title: 'Credentials',
  description: 'How calls are authenticated to the orchestrator.',
  type: 'object',
  default: { type: 'none' },
  discriminator: { propertyName: 'type' },
  oneOf: [
    variant('none', 'No credentials.', {}),
    basic,
    bearer,
    header,
    query,
    oauth2,
    variant(
      'login',
      'Requests that open a session, and what of their replies goes with every call.',
      loginKeys,
    ),
  ],
};
