import type { JsonSchema } from '../core/schema.js';
import { file, flag, optionalText, section, text } from './schema-parts.js';

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

function word(name: string, description: string): JsonSchema {
  return { title: 'Method', description, type: 'string', const: name };
}

function mount(preset: string): JsonSchema {
  return text('Mount', 'Mount of the login method.', { minLength: 1, default: preset });
}

const namespace = optionalText(
  'Namespace',
  'Namespace of the login method; null for that of the block, an empty text for the root.',
  {},
);

const token: JsonSchema = section(
  ['Token', 'A token from a file, or from an environment variable.'],
  {
    method: word('token', 'A ready-made token.'),
    tokenFile: file('Token file', 'File that holds the token; goes before tokenEnv.'),
    tokenEnv: text('Token variable', 'Name of the environment variable that holds the token.', {
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      'x-hint': 'must be the name of an environment variable',
      default: 'VAULT_TOKEN',
    }),
  },
  { required: ['method'] },
);

const tokenFile: JsonSchema = section(
  ['Token file', 'A token that another process, for example Vault Agent, keeps fresh in a file.'],
  {
    method: word('token_file', 'A file that another process keeps fresh.'),
    file: file('File', 'File that holds the token, or a wrapped one as JSON; looked at every 5 seconds.'),
    namespace,
  },
  { required: ['method', 'file'] },
);

const approle: JsonSchema = section(
  ['AppRole', 'A role id and a secret id, each from a file.'],
  {
    method: word('approle', 'Login with AppRole.'),
    mount: mount('approle'),
    namespace,
    roleIdFile: file('Role id file', 'File that holds the role id.'),
    secretIdFile: file('Secret id file', 'File that holds the secret id; leave it out for a role without.'),
    secretIdWrapped: flag('Wrapped', 'True when the file holds a wrapping token.', false),
    secretIdWrapPath: optionalText(
      'Wrap path',
      'Where the wrapped secret id must have been made, for example auth/approle/role/edge/secret-id.',
    ),
    removeSecretIdFile: flag('Remove file', 'True removes the secret id file after the login.', false),
  },
  { required: ['method', 'roleIdFile'] },
);

const kubernetes: JsonSchema = section(
  ['Kubernetes', 'The token of a service account.'],
  {
    method: word('kubernetes', 'Login with a service account of Kubernetes.'),
    mount: mount('kubernetes'),
    namespace,
    role: text('Role', 'Role of the mount to log in with.', { minLength: 1 }),
    jwtFile: file('JWT file', 'File that holds the token of the service account.', {
      default: SERVICE_ACCOUNT_TOKEN,
    }),
  },
  { required: ['method', 'role'] },
);

const jwt: JsonSchema = section(
  ['JWT', 'A JSON Web Token from a file.'],
  {
    method: word('jwt', 'Login with a JSON Web Token.'),
    mount: mount('jwt'),
    namespace,
    role: optionalText('Role', 'Role of the mount to log in with; null for its default role.'),
    jwtFile: file('JWT file', 'File that holds the token.'),
  },
  { required: ['method', 'jwtFile'] },
);

const cert: JsonSchema = section(
  ['Certificate', 'The client certificate of the TLS block.'],
  {
    method: word('cert', 'Login with the certificate in tls.certFile.'),
    mount: mount('cert'),
    namespace,
    name: optionalText('Name', 'Certificate role to log in with; null for any that fits.'),
  },
  { required: ['method'] },
);

/** Schema of the key `vault.auth`. */
export const vaultAuthSchema: JsonSchema = {
  title: 'Login',
  description: 'How to log in. Credentials stand in files or environment variables, never here.',
  type: 'object',
  discriminator: { propertyName: 'method' },
  oneOf: [token, tokenFile, approle, kubernetes, jwt, cert],
};
