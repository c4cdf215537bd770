import { isJsonObject } from '../../../../src/json/json-object.js';
import { textOf } from '../../text/text.js';
import type { Schema } from '../api/operation.js';
import type { OfferReferences } from './references.js';

const text = textOf('configure');

/** Members of the settings of an adapter in the order of the form: first those that every adapter needs. */
const MEMBER_ORDER = [
  ...[
    'baseUrl',
    'auth',
    'health',
    'options',
    'tls',
    'proxy',
    'timeouts',
    'retry',
    'queue',
    'breaker',
    'access',
  ],
  ...[
    'baseUrls',
    'balance',
    'enabled',
    'replyBytes',
    'isolateBodies',
    'reuseConnections',
    'redactReplies',
    'replyHeaders',
    'stub',
    'record',
  ],
];

/**
 * Returns the schema of settings for the form: members in the order of the form, names for the types of
 * authentication, and without the patterns that have a hint. The
 * server checks these patterns, and its errors say in words what is wrong. The fields of secrets offer references.
 */
export function formSchema(schema: Schema, offer?: OfferReferences): Schema {
  const ordered = inOrder(schema);
  return (offer ? withReferences(ordered, offer, '') : ordered) as Schema;
}

function inOrder(schema: Schema): Schema {
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return withoutHintedPatterns(schema);
  const others = properties as Readonly<Record<string, unknown>>;
  const members = { ...others, ...('auth' in others && { auth: authSchema(others['auth']) }) };
  const known = MEMBER_ORDER.filter((name) => Object.hasOwn(members, name));
  const rest = Object.keys(members).filter((name) => !known.includes(name));
  const byName: Readonly<Record<string, unknown>> = members;
  const ordered = Object.fromEntries([...known, ...rest].map((name) => [name, byName[name]]));
  return withoutHintedPatterns({ ...schema, properties: ordered });
}

/** Returns the schema of the authentication with the names of its types. */
function authSchema(auth: unknown): unknown {
  if (!isJsonObject(auth) || !Array.isArray(auth['oneOf'])) return auth;
  const types: readonly unknown[] = auth['oneOf'];
  return {
    ...auth,
    title: text('authentication'),
    oneOf: types.map((type) => (isJsonObject(type) ? { ...type, title: authTitle(type['title']) } : type)),
  };
}

function authTitle(type: unknown): unknown {
  return isAuthType(type) ? text(AUTH_TITLES[type]) : type;
}

const AUTH_TITLES = {
  none: 'authNone',
  basic: 'authBasic',
  bearer: 'authBearer',
  header: 'authHeader',
  query: 'authQuery',
  oauth2: 'authOAuth2',
  login: 'authLogin',
} as const;

function isAuthType(type: unknown): type is keyof typeof AUTH_TITLES {
  return typeof type === 'string' && Object.hasOwn(AUTH_TITLES, type);
}

/** Returns a schema whose secrets have references as examples, and say what a reference is. */
function withReferences(value: unknown, offer: OfferReferences, member: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, offer, member));
  if (!isJsonObject(value)) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      withReferences(part, offer, KEYWORDS.has(name) ? member : name),
    ]),
  );
  if (value['x-secret'] !== true || value['type'] !== 'string') return copy;
  const description = [value['description'], text('secretHelp')].filter(Boolean).join(' ');
  return { ...copy, description, examples: offer(member) };
}

/** Keywords between a member and its schema. */
const KEYWORDS = new Set(['oneOf', 'anyOf', 'allOf', 'items', 'then', 'else', 'properties']);

/** Returns a schema without the patterns that have a hint: the errors of the server say in words what is wrong. */
export function withoutHintedPatterns(schema: Schema): Schema {
  return copyWithout(schema) as Schema;
}

function copyWithout(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyWithout);
  if (typeof value !== 'object' || value === null) return value;
  const hasHint = 'x-hint' in value && 'pattern' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !(hasHint && name === 'pattern'))
      .map(([name, member]) => [name, copyWithout(member)]),
  );
}
