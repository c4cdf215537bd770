import type { FromSchema } from './from-schema.js';
import {
  BASE_URL_PATTERN,
  choice,
  file,
  flag,
  integer,
  MAX_TIMEOUT_MS,
  milliseconds,
  oneOrMore,
  optionalFile,
  optionalProxy,
  optionalText,
  section,
  text,
} from './schema-parts.js';

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

function methodTag<const M extends string>(name: M, description: string) {
  return { title: 'Method', description, type: 'string', const: name } as const;
}

function mount(preset: string) {
  return text('Mount', 'Mount of the login method.', { minLength: 1, default: preset });
}

const namespace = optionalText(
  'Namespace',
  'Namespace of the login method; null uses vault.namespace, an empty text the root.',
  {},
);

const token = section(
  ['Token', 'A token from a file, or from an environment variable.'],
  {
    method: methodTag('token', 'An existing token.'),
    tokenFile: file(
      'Token file',
      'File that contains the token, checked every second; takes precedence over tokenEnv.',
    ),
    tokenEnv: text('Token variable', 'Name of the environment variable that holds the token.', {
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      'x-hint': 'must be the name of an environment variable',
      default: 'VAULT_TOKEN',
    }),
  },
  { required: ['method'] },
);

const tokenFile = section(
  ['Token file', 'A token in a file that another process renews, for example Vault Agent.'],
  {
    method: methodTag('token_file', 'A file that another process updates.'),
    file: file('File', 'File that contains the token, or a wrapped token as JSON; checked every second.'),
    namespace,
  },
  { required: ['method', 'file'] },
);

const approle = section(
  ['AppRole', 'A role id and a secret id, each from a file.'],
  {
    method: methodTag('approle', 'Login with AppRole.'),
    mount: mount('approle'),
    namespace,
    roleIdFile: file('Role id file', 'File that contains the role id.'),
    secretIdFile: file(
      'Secret id file',
      'File that contains the secret id; omit it for a role without a secret id.',
    ),
    secretIdWrapped: flag('Wrapped', 'True if the file contains a wrapping token.', false),
    secretIdWrapPath: optionalText(
      'Wrap path',
      'Path that must have created the wrapped secret id, for example auth/approle/role/edge/secret-id.',
    ),
    removeSecretIdFile: flag('Remove file', 'True removes the secret id file after the login.', false),
  },
  { required: ['method', 'roleIdFile'] },
);

const kubernetes = section(
  ['Kubernetes', 'The token of a service account.'],
  {
    method: methodTag('kubernetes', 'Login with a service account of Kubernetes.'),
    mount: mount('kubernetes'),
    namespace,
    role: text('Role', 'Role of the mount to log in with.', { minLength: 1 }),
    jwtFile: file('JWT file', 'File that holds the token of the service account.', {
      default: SERVICE_ACCOUNT_TOKEN,
    }),
  },
  { required: ['method', 'role'] },
);

const jwt = section(
  ['JWT', 'A JSON Web Token from a file.'],
  {
    method: methodTag('jwt', 'Login with a JSON Web Token.'),
    mount: mount('jwt'),
    namespace,
    role: optionalText('Role', 'Role of the mount to log in with; null for its default role.'),
    jwtFile: file('JWT file', 'File that holds the token.'),
  },
  { required: ['method', 'jwtFile'] },
);

const cert = section(
  ['Certificate', 'The client certificate of the TLS block.'],
  {
    method: methodTag('cert', 'Login with the certificate in tls.certFile.'),
    mount: mount('cert'),
    namespace,
    name: optionalText('Name', 'Certificate role to log in with; null for any matching role.'),
  },
  { required: ['method'] },
);

const userpass = userSchema('userpass', ['User name', 'A user of the method userpass and its password.']);
const ldap = userSchema('ldap', ['LDAP', 'A user of an LDAP directory, for example Active Directory.']);

function userSchema<const M extends string>(method: M, title: readonly [string, string]) {
  return section(
    title,
    {
      method: methodTag(method, `Login with ${method}.`),
      mount: mount(method),
      namespace,
      username: text('User name', 'Name of the user.', { minLength: 1 }),
      passwordFile: file('Password file', 'File that contains the password of the user.'),
    },
    { required: ['method', 'username', 'passwordFile'] },
  );
}

/** Schema of the key `vault.auth`. */
const vaultAuthSchema = {
  title: 'Login',
  description: 'Login method. Credentials are in files or environment variables, never in the configuration.',
  type: 'object',
  discriminator: { propertyName: 'method' },
  oneOf: [token, tokenFile, approle, kubernetes, jwt, cert, userpass, ldap],
} as const;

const MAX_SECONDS = Math.floor(MAX_TIMEOUT_MS / 1000);

const ADDRESS_HINT =
  'must be an http or https URL without credentials, query and fragment, for example https://vault.example:8200';

const tls = section(['TLS', 'Verification of the server, and the client certificate.'], {
  caFile: optionalFile('CA file', 'PEM file of the CA certificates to trust, instead of those of Node.js.'),
  certFile: optionalFile('Certificate file', 'PEM file of the client certificate and its chain.'),
  keyFile: optionalFile('Key file', 'PEM file of the key of that certificate, without a pass phrase.'),
  serverName: optionalText(
    'Server name',
    'Server name to send (SNI) and to verify, instead of the host of the address.',
  ),
});

const request = section(['Requests', 'Limits of requests to the server.'], {
  deadlineMs: milliseconds('Deadline', 'Milliseconds for one attempt.', 5000),
  attempts: integer('Attempts', 'Maximum number of attempts per read.', {
    minimum: 1,
    maximum: 10,
    default: 3,
  }),
  concurrency: integer('Concurrency', 'Maximum number of concurrent reads.', {
    minimum: 1,
    maximum: 64,
    default: 8,
  }),
});

const boot = section(['Start', 'Behavior of a start while secrets are not available.'], {
  waitSeconds: seconds(
    'Wait',
    'Seconds that a start waits for a server that is unreachable, sealed or limits requests.',
    {
      minimum: 0,
      default: 60,
    },
  ),
  requireAll: flag(
    'Require all',
    'True refuses to start while a reference has no value; false sets its adapter to DEAD, with the reason.',
    false,
  ),
});

const refresh = section(['Refresh', 'Detection of rotated secrets.'], {
  intervalSeconds: seconds('Interval', 'Seconds between two checks of a secret.', {
    minimum: 30,
    default: 300,
  }),
  jitter: {
    title: 'Jitter',
    description: 'Fraction of the interval by which it is lengthened or shortened at random.',
    type: 'number',
    minimum: 0,
    maximum: 0.5,
    default: 0.1,
  },
  maxStaleSeconds: seconds(
    'Stale',
    'Seconds since the last successful read after which a secret counts as failed and /readyz answers 503. The value stays in use.',
    {
      minimum: 0,
      default: 86_400,
    },
  ),
  onAuthFailure: flag(
    'On refused logins',
    'True reads the secrets of an adapter again after its orchestrator rejected them.',
    true,
  ),
});

function seconds(
  title: string,
  description: string,
  keywords: { readonly minimum: number; readonly default: number },
) {
  return integer(title, description, { maximum: MAX_SECONDS, ...keywords });
}

/** Returns the schema of the path that adapters registered through the API may refer to. */
export function adapterScope(description: string): ReturnType<typeof text<{ readonly default: string }>> {
  return text('Scope of adapters', description, {
    pattern: '^(?:[\\w.{}-]+(?:/[\\w.{}-]+)*)?$',
    'x-hint': 'must be a path such as adapters/{name} or adapters, or an empty text',
    default: 'adapters/{name}',
  });
}

/** Schema of the key `vault`. */
export const vaultSchema = section(
  ['Vault', 'Server that $VAULT_ references are read from; null rejects references.'],
  {
    address: oneOrMore({
      title: 'Address',
      description: 'URL of the Vault or OpenBao server, or a list of the URLs of one cluster.',
      type: ['string', 'array'],
      pattern: BASE_URL_PATTERN,
      'x-hint': ADDRESS_HINT,
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', pattern: BASE_URL_PATTERN, 'x-hint': ADDRESS_HINT },
    }),
    namespace: optionalText('Namespace', 'Namespace of Vault Enterprise or OpenBao; null for none.'),
    mount: text('Mount', 'KV mount that relative references are read from.', {
      minLength: 1,
      default: 'secret',
    }),
    kvVersion: {
      title: 'KV version',
      description: 'Version of the KV engine at the mount; "auto" asks Vault.',
      enum: [1, 2, 'auto'],
      default: 2,
    },
    auth: vaultAuthSchema,
    tls,
    proxy: optionalProxy(
      'URL of an HTTP proxy to the server; the proxy variables of the environment are ignored.',
    ),
    request,
    boot,
    refresh,
    writeLiterals: flag(
      'Write literals',
      'True writes plaintext secrets from the API to the mount; false rejects them.',
      false,
    ),
    literals: choice(
      'Secrets in files',
      'Treatment of plaintext secrets in files. warn: a warning of "gatehouse check" and in the log; refuse: an error.',
      ['warn', 'refuse'],
    ),
    adapterScope: adapterScope(
      'Path below the mount that adapters registered through the API may refer to; {name} is the name of the adapter, an empty text allows all.',
    ),
    allowInsecure: flag('Allow http', 'True allows an http address that is not loopback.', false),
  },
  { type: ['object', 'null'], default: null, required: ['address', 'auth'], 'x-restart': true },
);

/** Settings of the connection to Vault, and of secrets from Vault. */
export type VaultSettings = NonNullable<FromSchema<typeof vaultSchema>>;

/**
 * Login to Vault. Credentials are in files or environment variables, never in the configuration. `namespace`
 * is the namespace of the login: null uses `VaultSettings.namespace`, an empty string the root namespace.
 */
export type VaultAuthSettings = VaultSettings['auth'];

export type AppRoleSettings = FromSchema<typeof approle>;
