import { flag, integer } from './schema-parts.js';

const ROLES_POINTER = {
  format: 'json-pointer',
  'x-hint': 'must be a JSON pointer such as /realm_access/roles',
} as const;

/** Schema of the key `rolesClaim` of an issuer. */
export const rolesClaim = {
  title: 'Roles claim',
  description:
    'JSON pointer to the role names in the token (a list, or one text), or a list of such pointers.',
  type: ['string', 'array'],
  ...ROLES_POINTER,
  minItems: 1,
  maxItems: 20,
  items: { type: 'string', ...ROLES_POINTER },
  default: '/roles',
} as const;

export const grantedRoles = {
  type: ['string', 'array'],
  minLength: 1,
  minItems: 1,
  items: { type: 'string', minLength: 1 },
  'x-hint': 'must be a role or a list of roles',
} as const;

/** Schema of the key `roleMap` of an issuer. */
export const roleMap = {
  title: 'Role map',
  description:
    'Maps a role name of the token to one or several roles of gatehouse: admin, engineering, viewer, or own names that roles and access use. * in a name matches any number of characters. Without a map, the names are used unchanged.',
  type: 'object',
  additionalProperties: grantedRoles,
} as const;

/** Schema of the key `claimRoles` of an issuer. */
export const claimRoles = {
  title: 'Roles of claims',
  description: 'Roles for values of other claims, in addition to those of rolesClaim.',
  type: 'array',
  maxItems: 100,
  items: {
    title: 'Rule',
    type: 'object',
    required: ['claim', 'values', 'roles'],
    additionalProperties: false,
    properties: {
      claim: {
        title: 'Claim',
        description: 'Name of a claim such as department; with a leading slash, a JSON pointer.',
        type: 'string',
        minLength: 1,
      },
      values: {
        title: 'Values',
        description:
          'Values of which the claim has one: itself, in its list, or in the words of scope. * in a text matches any number of characters.',
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: { type: ['string', 'number', 'boolean'] },
      },
      roles: { title: 'Roles', description: 'Roles that the caller gets.', ...grantedRoles },
    },
  },
} as const;

/** Schema of the key `nameClaim` of an issuer. */
export const nameClaim = {
  title: 'Name claim',
  description:
    'Claim with the name of the caller for people, or a list of claims of which the first usable one counts; otherwise "sub". A name with a leading slash is a JSON pointer.',
  type: ['string', 'array'],
  minLength: 1,
  minItems: 1,
  maxItems: 20,
  items: { type: 'string', minLength: 1 },
  default: ['preferred_username', 'email'],
} as const;

/** Schema of the key `requiredClaims` of an issuer. */
export const requiredClaims = {
  title: 'Required claims',
  description:
    'Accepted values of claims such as azp, scope or acr: one value, or a list of which one value must match. A name with a leading slash is a JSON pointer.',
  type: 'object',
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'array'],
    minItems: 1,
    items: { type: ['string', 'number', 'boolean'] },
    'x-hint': 'must be a text, a number or a boolean, or a list of these',
  },
} as const;

/** Schema of the key `acceptIdTokens` of an issuer. */
export const acceptIdTokens = flag(
  'Accept ID tokens',
  'True accepts ID tokens like access tokens, for an issuer whose access tokens are for other services.',
  false,
);

/** Schema of the key `auth.maxTokenLength`. */
export const maxTokenLength = integer(
  'Maximum token length',
  'Maximum length of a token in characters. A longer token needs a larger server.limits.headerBytes as well.',
  { minimum: 1024, maximum: 65_536, default: 8192 },
);
