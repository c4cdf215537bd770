import { CERTIFICATE_NAMES } from '../core/certificate.js';
import type { JsonSchema } from '../core/schema.js';
import { localAuthSchema } from './local-auth.js';
import {
  choice,
  flag,
  integer,
  oneOrMore,
  pemFile,
  section,
  text,
  URL_PATTERN,
  writtenSecret,
} from './schema-parts.js';
import * as claims from './token-claims.js';

const HMAC_ALGORITHMS = ['HS256', 'HS384', 'HS512'];
const SIGNATURE_ALGORITHMS = [
  ...['RS', 'PS', 'ES'].flatMap((family) => ['256', '384', '512'].map((size) => family + size)),
  'EdDSA',
  'Ed25519',
];
const KEY_SOURCES = ['publicKeyFile', 'secret', 'jwksUri', 'discovery'];

const scopes = {
  title: 'Scopes',
  description: 'Scopes to request in addition to openid.',
  type: 'array',
  maxItems: 50,
  uniqueItems: true,
  default: [],
  items: {
    type: 'string',
    maxLength: 256,
    pattern: '^[!#-\\[\\]-~]+$',
    'x-hint': 'must be a scope without blanks, quotes and backslashes',
  },
} as const;

const cli = section(
  ['Command line', 'Lets people sign in at the issuer with "gatehouse login"; needs discovery.'],
  {
    clientId: text('Client id', 'Id of the command at the issuer: a public client, without a secret.', {
      minLength: 1,
      maxLength: 256,
    }),
    scopes,
  },
  { required: ['clientId'] },
);

const signIn = section(
  ['Sign-in', 'Lets people sign in at the issuer with a browser; needs discovery and server.publicUrl.'],
  {
    clientId: text('Client id', 'Id of this server at the issuer.', {
      minLength: 1,
      maxLength: 256,
    }),
    clientSecret: writtenSecret(
      'Client secret',
      'Secret of the client; omit it for a public client. Write a reference such as $VAULT_gatehouse/oidc#secret.',
    ),
    scopes,
    name: text('Name', 'Name of the issuer for people; if absent, the host of the issuer.', {
      minLength: 1,
      maxLength: 100,
    }),
    timeoutSeconds: integer('Time-out', 'Maximum time of a request to the token endpoint, in seconds.', {
      minimum: 1,
      maximum: 60,
      default: 10,
    }),
    endSession: flag(
      'End session',
      'True also signs people out at the issuer when they sign out here, if the issuer has an end_session_endpoint.',
      true,
    ),
  },
  { required: ['clientId'] },
);

const introspection = section(
  [
    'Introspection',
    'Asks the issuer whether a token is still active (RFC 7662), in addition to the checks of the token; needs discovery.',
  ],
  {
    clientId: text('Client id', 'Id of this server at the issuer.', { minLength: 1, maxLength: 256 }),
    clientSecret: writtenSecret(
      'Client secret',
      'Secret of the client. Write a reference such as $VAULT_gatehouse/oidc#secret.',
    ),
    cacheSeconds: integer(
      'Cache',
      'Seconds that the reply for a token is used again; 0 asks the issuer at every request.',
      {
        minimum: 0,
        maximum: 300,
        default: 10,
      },
    ),
  },
  { required: ['clientId', 'clientSecret'] },
);

const sessions = section(['Sessions', 'Sessions of browsers that sign in at an identity provider.'], {
  idleSeconds: integer('Idle time', 'Seconds without input of the person after which a session ends.', {
    minimum: 60,
    maximum: 2_592_000,
    default: 3600,
  }),
  maxSeconds: integer('Maximum time', 'Seconds after which the person signs in again in any case.', {
    minimum: 60,
    maximum: 2_592_000,
    default: 43_200,
  }),
});

const clientCertificates = section(
  [
    'Client certificates',
    'Identity and roles of callers with a certificate, which server.tls.clientCertificates accepts.',
  ],
  {
    subject: choice(
      'Subject',
      'Name of the certificate that identifies the caller: the common name, the distinguished name (RFC 4514), or a subject alternative name: a URI such as a SPIFFE ID, a DNS name, an e-mail address.',
      CERTIFICATE_NAMES,
    ),
    roles: {
      title: 'Roles',
      description:
        'Maps the name of a caller to one or several roles. A caller without an entry has no role.',
      type: 'object',
      default: {},
      additionalProperties: claims.grantedRoles,
    },
  },
);

const issuer = section(
  [
    'Token issuer',
    'An issuer whose tokens are accepted. Its key comes from one of publicKeyFile, secret, jwksUri and discovery.',
  ],
  {
    issuer: text(
      'Issuer',
      'Value of the claim "iss" of its tokens, unique among the issuers; "gatehouse" is the built-in issuer.',
      { minLength: 1 },
    ),
    audience: oneOrMore({
      title: 'Audience',
      description: 'Accepted values of the claim "aud": one value, or a list of which one value must match.',
      type: ['string', 'array'],
      minLength: 1,
      minItems: 1,
      items: { type: 'string', minLength: 1 },
    }),
    algorithms: {
      title: 'Algorithms',
      description: `Accepted signature algorithms. With a secret: ${HMAC_ALGORITHMS.join(', ')}. With any other key: ${SIGNATURE_ALGORITHMS.join(', ')}.`,
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string' },
    },
    publicKeyFile: pemFile(
      'Public key file',
      'PEM file of the key or certificate that tokens are verified with.',
    ),
    secret: writtenSecret('Shared secret', 'HMAC key; write a reference such as $VAULT_gatehouse/jwt#key.'),
    jwksUri: text('Key set address', 'Address of the JSON Web Key Set (RFC 7517).', {
      pattern: URL_PATTERN,
      'x-hint': 'must be an http or https URL without credentials',
    }),
    discovery: {
      title: 'Discovery',
      description: 'True finds the key set through <issuer>/.well-known/openid-configuration.',
      type: 'boolean',
      const: true,
      'x-hint': 'must be true or absent',
    },
    caFile: pemFile(
      'CA file',
      'PEM file of the CA certificates to trust for requests to the issuer, instead of those of Node.js.',
    ),
    rolesClaim: claims.rolesClaim,
    roleMap: claims.roleMap,
    claimRoles: claims.claimRoles,
    nameClaim: claims.nameClaim,
    requiredClaims: claims.requiredClaims,
    acceptIdTokens: claims.acceptIdTokens,
    clockToleranceSeconds: integer('Clock tolerance', 'Maximum difference of the clocks, in seconds.', {
      minimum: 0,
      maximum: 3600,
      default: 30,
    }),
    maxLifetimeSeconds: integer(
      'Maximum lifetime',
      'Maximum number of seconds from the issue of a token to its expiry; other tokens are rejected.',
      {
        minimum: 1,
        maximum: 86_400,
        default: 86_400,
      },
    ),
    introspection,
    signIn,
    cli,
  },
  {
    required: ['issuer', 'audience', 'algorithms'],
    oneOf: KEY_SOURCES.map((name) => ({ required: [name], properties: { [name]: true } })),
    'x-hint': `must have exactly one of ${KEY_SOURCES.join(', ')}`,
    // A public key that is used as an HMAC secret would let anyone sign tokens.
    if: { required: ['secret'], properties: { secret: true } },
    then: algorithmsAmong(HMAC_ALGORITHMS, 'with a secret'),
    else: algorithmsAmong(SIGNATURE_ALGORITHMS, 'with a public key'),
  },
);

function algorithmsAmong(names: readonly string[], key: string): JsonSchema {
  const hint = `must be one of ${names.join(', ')} ${key}`;
  return { properties: { algorithms: { type: 'array', items: { enum: names, 'x-hint': hint } } } };
}

/** Schema of the key `auth`. */
export const authSchema = section(['Authentication', 'Which tokens and passwords are accepted.'], {
  issuers: {
    title: 'Token issuers',
    description: 'Accepted issuers; the claim "iss" of a token selects the issuer.',
    type: 'array',
    default: [],
    items: issuer,
  },
  maxTokenLength: claims.maxTokenLength,
  signInSecret: writtenSecret(
    'Sign-in secret',
    'Encrypts pending sign-ins and the tokens of sessions; all nodes need the same secret. If absent, the signing key of the built-in issuer takes its place. Write a reference such as $VAULT_gatehouse/sign-in#key.',
    { minLength: 32, 'x-hint': 'must have at least 32 characters' },
  ),
  sessions,
  clientCertificates,
  local: localAuthSchema,
});
