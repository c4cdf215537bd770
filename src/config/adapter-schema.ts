import { headerNamePattern } from '../domain/header.js';
import type { CompileSchema, JsonSchema, Verdict } from '../domain/schema.js';
import type { AdapterSettings } from '../domain/settings.js';
import { BASE_URL_PATTERN, bytes, flag, milliseconds, optionalFile, section, text } from './schema-parts.js';

function variant(
  type: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const tag = { title: 'Type', description, type: 'string', const: type };
  return section(
    [type, description],
    { type: tag, ...properties },
    { required: ['type', ...Object.keys(properties)] },
  );
}

function secret(title: string, description: string, more: JsonSchema): JsonSchema {
  return text(title, `${description} Write a reference such as $VAULT_adapters/nso1#password.`, {
    minLength: 1,
    'x-secret': true,
    ...more,
  });
}

const auth: JsonSchema = {
  title: 'Credentials',
  description: 'How calls are authenticated to the orchestrator.',
  type: 'object',
  default: { type: 'none' },
  discriminator: { propertyName: 'type' },
  oneOf: [
    variant('none', 'No credentials.', {}),
    variant('basic', 'HTTP Basic (RFC 7617).', {
      username: text('User name', 'Holds no colon.', {
        pattern: '^[^:\\u0000-\\u001f\\u007f]+$',
        'x-hint': 'must be a user name without colons and control characters',
      }),
      password: secret('Password', 'Password of the user.', {
        pattern: '^[^\\u0000-\\u001f\\u007f]+$',
        'x-hint': 'must be a password without control characters (is there a newline at its end?)',
      }),
    }),
    variant('bearer', 'A token as in "Authorization: Bearer <token>" (RFC 6750).', {
      token: secret('Token', 'The token.', {
        pattern: '^[\\u0021-\\u007e]+$',
        'x-hint': 'must be a token without spaces and control characters (is there a newline at its end?)',
      }),
    }),
    variant('header', 'A header of its own.', {
      name: text('Header name', 'Name of the header, for example X-Auth-Token.', {
        maxLength: 256,
        pattern: headerNamePattern(['content-encoding']),
        'x-hint':
          'must be a header name such as X-Auth-Token, and none that belongs to the connection (Host, Content-Length, ...)',
      }),
      value: secret('Header value', 'Value of the header.', {
        pattern:
          '^[\\u0021-\\u007e\\u0080-\\u00ff](?:[\\t\\u0020-\\u007e\\u0080-\\u00ff]*[\\u0021-\\u007e\\u0080-\\u00ff])?$',
        'x-hint': 'must be a header value: one line without outer spaces (is there a newline at its end?)',
      }),
    }),
  ],
};

const tls: JsonSchema = section(
  ['TLS', 'How the orchestrator is verified, and who we are to it.'],
  {
    caFile: optionalFile('CA file', "PEM file of the certificates to trust instead of the system's."),
    certFile: optionalFile('Certificate file', 'PEM file of the client certificate; needs keyFile.'),
    keyFile: optionalFile('Key file', 'PEM file of the client key; needs certFile.'),
    serverName: {
      title: 'Server name',
      description: "Name to ask for and to check instead of the base URL's host.",
      type: ['string', 'null'],
      minLength: 1,
      default: null,
    },
    insecure: flag('Insecure', 'True accepts any certificate: for laboratories only.', false),
  },
  { default: {}, allOf: [pair('certFile', 'keyFile'), pair('keyFile', 'certFile')] },
);

function pair(given: string, needed: string): JsonSchema {
  const rule = { not: { const: null }, 'x-hint': `must be set, because ${given} is` };
  return {
    if: { required: [given], properties: { [given]: { type: 'string' } } },
    then: { required: [needed], properties: { [needed]: rule } },
  };
}

/** Schema of a file of `adapters/`, and of a member of `adapters` in the main file. */
export const adapterSchema: JsonSchema = section(
  ['gatehouse adapter', 'One orchestrator. Paths are relative to this file.'],
  {
    plugin: text('Plugin', 'Name of a folder of plugins/: which kind of orchestrator this is.', {
      pattern: '^[a-z0-9][a-z0-9-]*$',
      'x-hint': 'must be the name of a folder of plugins/, for example http-rest',
    }),
    baseUrl: text('Base URL', 'Root that every path is confined to.', {
      pattern: BASE_URL_PATTERN,
      'x-hint':
        'must be an http or https URL without credentials, query and fragment, for example https://nso.example:8888',
    }),
    auth,
    tls,
    timeouts: section(['Time-outs', 'Patience with the orchestrator.'], {
      connectMs: milliseconds('Connect', 'Milliseconds to connect.', 5000),
      firstByteMs: milliseconds(
        'First byte',
        "Milliseconds from the last byte sent to the reply's headers.",
        15_000,
      ),
      totalMs: milliseconds('Total', 'Milliseconds for a whole call.', 30_000),
    }),
    replyBytes: bytes('Reply size', 'Largest reply body, in bytes.', 16_777_216),
    enabled: flag('Enabled', 'False keeps the adapter stopped.', true),
    options: {
      title: 'Options',
      description: "The plugin's own keys; see its README.",
      type: 'object',
      default: {},
    },
  },
  { required: ['plugin', 'baseUrl'] },
);

/** Checks an adapter again after its references were resolved. */
export function validateAdapter(value: unknown, compile: CompileSchema): Verdict {
  return compile(adapterSchema)(value);
}

/** An adapter, valid and resolved, as its type. */
export function asAdapterSettings(value: unknown): AdapterSettings {
  return value as AdapterSettings;
}
