import { NAME_LENGTH, STYLES } from '../core/login.js';
import type { JsonSchema } from '../core/schema.js';
import { atStart, file, flag, integer, section, text, writtenSecret } from './schema-parts.js';

// RFC 7617 section 2: a colon would end the name. Control characters are not allowed in headers.
const ACCOUNT_NAME = {
  minLength: 1,
  maxLength: NAME_LENGTH,
  pattern: '^[^:\\u0000-\\u001f\\u007f]+$',
  'x-hint': `must have 1 to ${NAME_LENGTH} characters, without a colon and control characters`,
};

const roles = {
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
} as const;

function accountName(title: string): ReturnType<typeof text> {
  return text(title, 'Unique among all users and clients.', ACCOUNT_NAME);
}

function hash(title: string): ReturnType<typeof writtenSecret> {
  return writtenSecret(title, 'scrypt hash, created with: gatehouse hash.', { minLength: 1 });
}

/** Returns the schema of accounts of one kind, which have a name, a hash and roles. */
function accountList<const P extends Readonly<Record<string, JsonSchema>>>(
  [title, description]: readonly [title: string, description: string],
  names: P,
) {
  const required = [...Object.keys(names), 'roles'] as readonly ('roles' | (keyof P & string))[];
  const items = section([title, description], { ...names, roles }, { required });
  return { title, description, type: 'array', default: [], items } as const;
}

const attempts = section(
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
export const localAuthSchema = section(
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
    keyFile: atStart(
      file('Key file', 'PEM file of the signing key (ES256), which the nodes of a cluster share.', {
        default: '../data/local-issuer.pem',
      }),
    ),
    users: accountList(['Users', 'People who log in with a name and a password.'], {
      username: accountName('User name'),
      passwordHash: hash('Password hash'),
    }),
    clients: accountList(['Clients', 'Programs that request tokens with POST /oauth/token.'], {
      clientId: accountName('Client id'),
      clientSecretHash: hash('Hash of the client secret'),
    }),
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
