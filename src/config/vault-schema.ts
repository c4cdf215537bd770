import type { JsonSchema } from '../domain/schema.js';
import {
  BASE_URL_PATTERN,
  file,
  flag,
  integer,
  milliseconds,
  optionalFile,
  section,
  text,
} from './schema-parts.js';

const token: JsonSchema = section(
  ['Token', 'A token from a file, or from an environment variable.'],
  {
    method: { title: 'Method', description: 'A ready-made token.', type: 'string', const: 'token' },
    tokenFile: file('Token file', 'File that holds the token; goes before tokenEnv.'),
    tokenEnv: text('Token variable', 'Name of the environment variable that holds the token.', {
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      'x-hint': 'must be the name of an environment variable',
      default: 'VAULT_TOKEN',
    }),
  },
  { required: ['method'] },
);

const approle: JsonSchema = section(
  ['AppRole', 'A role id and a secret id, each from a file.'],
  {
    method: { title: 'Method', description: 'Login with AppRole.', type: 'string', const: 'approle' },
    mount: text('Mount', 'Mount of the AppRole method.', { minLength: 1, default: 'approle' }),
    roleIdFile: file('Role id file', 'File that holds the role id.'),
    secretIdFile: file('Secret id file', 'File that holds the secret id.'),
  },
  { required: ['method', 'roleIdFile', 'secretIdFile'] },
);

/** Schema of the key `vault`. */
export const vaultSchema: JsonSchema = section(
  ['Vault', 'Where $VAULT_ references are read from; null refuses them.'],
  {
    address: text('Address', 'URL of the Vault or OpenBao server.', {
      pattern: BASE_URL_PATTERN,
      'x-hint':
        'must be an http or https URL without credentials, query and fragment, for example https://vault.example:8200',
    }),
    namespace: {
      title: 'Namespace',
      description: 'Namespace of Vault Enterprise or OpenBao; null for none.',
      type: ['string', 'null'],
      minLength: 1,
      default: null,
    },
    mount: text('Mount', 'KV mount that relative references are read from.', {
      minLength: 1,
      default: 'secret',
    }),
    kvVersion: {
      title: 'KV version',
      description: 'Version of the KV engine at the mount.',
      type: 'integer',
      enum: [1, 2],
      default: 2,
    },
    auth: {
      title: 'Login',
      description: 'How to log in. Credentials stand in files or environment variables, never here.',
      type: 'object',
      discriminator: { propertyName: 'method' },
      oneOf: [token, approle],
    },
    tls: section(['TLS', 'How the server is verified.'], {
      caFile: optionalFile('CA file', "PEM file of the certificates to trust instead of the system's."),
      serverName: {
        title: 'Server name',
        description: "Name to ask for and to check instead of the address's host.",
        type: ['string', 'null'],
        minLength: 1,
        default: null,
      },
    }),
    request: section(['Requests', 'Patience with the server.'], {
      deadlineMs: milliseconds('Deadline', 'Milliseconds for one attempt.', 5000),
      attempts: integer('Attempts', 'Tries before a read has failed.', {
        minimum: 1,
        maximum: 10,
        default: 3,
      }),
    }),
    allowInsecure: flag('Allow http', 'True allows an http address that is not loopback.', false),
  },
  { type: ['object', 'null'], default: null, required: ['address', 'auth'] },
);
