import { NAME_LENGTH, STYLES } from '../core/login.js';
import type { JsonSchema } from '../core/schema.js';
import { file, flag, integer, section, text } from './schema-parts.js';

// RFC 7617 section 2: a colon would end the name. Control characters are not allowed in headers.
const ACCOUNT_NAME = {
  minLength: 1,
  maxLength: NAME_LENGTH,
  pattern: '^[^:\\u0000-\\u001f\\u007f]+$',
  'x-hint': `must have 1 to ${NAME_LENGTH} characters, without a colon and control characters`,
};

const roles: JsonSchema = {
  title: 'Roles',
  description:
    'Roles in the token: admin, engineering, viewer (reads only), and the roles that "roles" or "access" name.',
  type: 'array',
  minItems: 1,
  uniqueItems: true,
  items: {
    type: 'string',
    pattern: '^[!-~]+(?: [!-~]+)*$',
    'x-hint': 'must be a role name in ASCII, without blanks around it',
  },
};

/** Returns the schema of accounts of one kind, with their keys for the name and the hash. */
function accountList(
  labels: readonly [title: string, description: string],
  [name, nameTitle]: readonly [key: string, title: string],
  [hash, hashTitle]: readonly [key: string, title: string],
): JsonSchema {
  const [title, description] = labels;
  const members = {
    [name]: text(nameTitle, 'Unique among all users and clients.', ACCOUNT_NAME),
    [hash]: text(hashTitle, 'scrypt hash, created with: gatehouse hash.', { minLength: 1, 'x-secret': true }),
    roles,
  };
  const item = section([title, description], members, { required: [name, hash, 'roles'] });
  return { title, description, type: 'array', default: [], items: item };
}

const attempts: JsonSchema = section(
  ['Wrong passwords', 'Limits of failed logins; beyond them, logins are rejected until the window ends.'],
  {
    perUser: integer('Per user', 'Maximum number of wrong passwords for one name within the window.', {
      minimum: 1,
      maximum: 1000,
      default: 10,
    }),
    perAddress: integer(
      'Per address',
      'Maximum number of wrong passwords from one address within the window.',
      {
        minimum: 1,
        maximum: 100_000,
        default: 100,
      },
    ),
    windowSeconds: integer('Window', 'Length of the window in seconds, from the first wrong password.', {
      minimum: 1,
      maximum: 86_400,
      default: 900,
    }),
  },
);

/** Schema of the key `auth.local`. */
export const localAuthSchema: JsonSchema = section(
  ['Built-in issuer', 'Signs tokens with a key that the first start creates.'],
  {
    enabled: flag(
      'Enabled',
      'False rejects the tokens of the built-in issuer after a reload; true takes effect at the next start.',
      true,
    ),
    tokenTtlSeconds: integer('Token lifetime', 'Seconds that a token is valid.', {
      minimum: 1,
      maximum: 86_400,
      default: 3600,
    }),
    keyFile: file('Key file', 'PEM file of the signing key (ES256), which the nodes of a cluster share.', {
      default: '../data/local-issuer.pem',
    }),
    users: accountList(
      ['Users', 'People who log in with a name and a password.'],
      ['username', 'User name'],
      ['passwordHash', 'Password hash'],
    ),
    clients: accountList(
      ['Clients', 'Programs that request tokens with POST /oauth/token.'],
      ['clientId', 'Client id'],
      ['clientSecretHash', 'Hash of the client secret'],
    ),
    accept: {
      title: 'Accepted styles',
      description: 'Accepted authentication methods of requests.',
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: STYLES, 'x-hint': `must be one of ${STYLES.join(', ')}` },
      default: STYLES,
    },
    attempts,
  },
);
