import { NAME_LENGTH, STYLES } from '../core/login.js';
import type { JsonSchema } from '../core/schema.js';
import { file, flag, integer, section, text } from './schema-parts.js';

// RFC 7617 section 2: a colon would end the name. Control characters are not allowed in headers.
const NAME = {
  minLength: 1,
  maxLength: NAME_LENGTH,
  pattern: '^[^:\\u0000-\\u001f\\u007f]+$',
  'x-hint': `must have 1 to ${NAME_LENGTH} characters, without a colon and control characters`,
};

const roles: JsonSchema = {
  title: 'Roles',
  description:
    'What the token says; admin and engineering are known, others where "roles" or "access" name them.',
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
function accounts(
  words: readonly [title: string, description: string],
  [name, nameTitle]: readonly [key: string, title: string],
  [hash, hashTitle]: readonly [key: string, title: string],
): JsonSchema {
  const [title, description] = words;
  const members = {
    [name]: text(nameTitle, 'No other user or client has it.', NAME),
    [hash]: text(hashTitle, 'scrypt hash, made with: gatehouse hash.', { minLength: 1, 'x-secret': true }),
    roles,
  };
  const one = section([title, description], members, { required: [name, hash, 'roles'] });
  return { title, description, type: 'array', default: [], items: one };
}

const attempts: JsonSchema = section(['Wrong passwords', 'How many are looked at.'], {
  perUser: integer('Per user', 'Wrong passwords for one name within the window.', {
    minimum: 1,
    maximum: 1000,
    default: 10,
  }),
  perAddress: integer('Per address', 'Wrong passwords from one address within the window.', {
    minimum: 1,
    maximum: 100_000,
    default: 100,
  }),
  windowSeconds: integer('Window', 'Seconds from the first wrong password on.', {
    minimum: 1,
    maximum: 86_400,
    default: 900,
  }),
});

/** Schema of the key `auth.local`. */
export const localAuthSchema: JsonSchema = section(
  ['Built-in issuer', 'Signs tokens with a key that is made on the first start.'],
  {
    enabled: flag('Enabled', 'False refuses the tokens of the built-in issuer.', true),
    tokenTtlSeconds: integer('Token lifetime', 'Seconds that a token is valid.', {
      minimum: 1,
      maximum: 86_400,
      default: 3600,
    }),
    keyFile: file('Key file', 'PEM file of the signing key (ES256).', {
      default: '../data/local-issuer.pem',
    }),
    users: accounts(
      ['Users', 'People who log in with a name and a password.'],
      ['username', 'User name'],
      ['passwordHash', 'Password hash'],
    ),
    clients: accounts(
      ['Clients', 'Programs that ask POST /oauth/token for a token.'],
      ['clientId', 'Client id'],
      ['clientSecretHash', 'Hash of the client secret'],
    ),
    accept: {
      title: 'Accepted styles',
      description: 'How a request may show who sends it.',
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: STYLES, 'x-hint': `must be one of ${STYLES.join(', ')}` },
      default: STYLES,
    },
    attempts,
  },
);
