import type { JsonSchema } from '../core/schema.js';
import { isJsonObject } from '../json/json-object.js';
import { didYouMean } from '../lib/closest-name.js';

/** Failed keyword with Ajv's parameters and the schema that contains the keyword. */
export interface Failure {
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema: JsonSchema;
  /** The rejected value. It may be a secret, so a message never repeats it. */
  readonly value?: unknown;
  /** Name of the missing member; absent for other keywords. */
  readonly member?: string | undefined;
  /** Schemas of the members that the value may have, by name. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Keywords whose message `x-hint` does not replace, because the message is already exact. */
const EXACT_KEYWORDS = new Set([
  'type',
  'required',
  'dependentRequired',
  'additionalProperties',
  'unevaluatedProperties',
]);

/** Returns the message of a failed keyword, a phrase that follows the name of the field. */
export function wordingOf(failure: Failure): string {
  const hint = failure.schema['x-hint'];
  if (typeof hint === 'string' && !EXACT_KEYWORDS.has(failure.keyword)) return hint;
  return WORDING[failure.keyword]?.(failure) ?? `does not satisfy "${failure.keyword}"`;
}

const WORDING: Readonly<Record<string, (failure: Failure) => string>> = {
  type: ({ params, schema }) => `must be ${typeWording(params['type'], unitOf(schema))}${typeHintOf(schema)}`,
  required: () => 'is missing',
  dependentRequired: ({ params }) => `is missing; "${textOf(params['property'])}" needs it`,
  additionalProperties: unknownMember,
  unevaluatedProperties: unknownMember,
  enum: ({ params, value }) => listOfAllowed(listOf(params['allowedValues']), value),
  const: ({ params }) => `must be ${textOf(params['allowedValue'])}`,
  discriminator: ({ params, schema }) =>
    listOfAllowed(tagValues(schema, textOf(params['tag'])), params['tagValue']),
  pattern: ({ params }) => `must match the pattern ${textOf(params['pattern'])}`,
  format: ({ params }) => `must be ${formatWording(textOf(params['format']))}`,
  minimum: ({ params }) => `must be at least ${textOf(params['limit'])}`,
  maximum: ({ params }) => `must be at most ${textOf(params['limit'])}`,
  exclusiveMinimum: ({ params }) => `must be more than ${textOf(params['limit'])}`,
  exclusiveMaximum: ({ params }) => `must be less than ${textOf(params['limit'])}`,
  multipleOf: ({ params }) => `must be a multiple of ${textOf(params['multipleOf'])}`,
  minLength: ({ params }) =>
    params['limit'] === 1 ? 'must not be empty' : `must have at least ${countOf(params, 'character')}`,
  maxLength: ({ params }) => `must have at most ${countOf(params, 'character')}`,
  minItems: ({ params }) => `must have at least ${countOf(params, 'item')}`,
  maxItems: ({ params }) => `must have at most ${countOf(params, 'item')}`,
  minProperties: ({ params }) => `must have at least ${countOf(params, 'member')}`,
  maxProperties: ({ params }) => `must have at most ${countOf(params, 'member')}`,
  items: ({ params }) => `must have at most ${countOf(params, 'item')}`,
  uniqueItems: () => 'must not contain the same item twice',
  contains: () => 'does not contain the required item',
  anyOf: () => 'matches none of the allowed forms',
  oneOf: ({ params }) =>
    Array.isArray(params['passingSchemas'])
      ? 'matches several forms, but exactly one is allowed'
      : 'matches none of the allowed forms',
  not: () => 'is not allowed in this form',
  'false schema': () => 'is not allowed here',
};

/** Returns the end of a message about a wrong type, from the annotation `x-type-hint`; empty without it. */
function typeHintOf(schema: JsonSchema): string {
  const hint = schema['x-type-hint'];
  return typeof hint === 'string' ? `; ${hint}` : '';
}

/** Returns JSON types with their articles: `a string`, `an array or null`, `a whole number of seconds`. */
function typeWording(types: unknown, unit: string | undefined): string {
  const words = [types].flat().map((type) => {
    const word = textOf(type);
    if (word === 'integer' && unit !== undefined) return `a whole number of ${unit}`;
    return TYPE_WORDING[word] ?? word;
  });
  return words.join(' or ');
}

const TYPE_WORDING: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const FORMAT_WORDING: Readonly<Record<string, string>> = {
  'date-time': 'a date and time such as 2024-01-31T12:00:00Z',
  date: 'a date such as 2024-01-31',
  time: 'a time such as 12:00:00Z',
  email: 'an e-mail address',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uri: 'an absolute URI',
  uuid: 'a UUID',
  'json-pointer': 'a JSON pointer such as /roles',
  regex: 'a regular expression',
};

function formatWording(format: string): string {
  return FORMAT_WORDING[format] ?? `of the format "${format}"`;
}

function unknownMember({ params, schema }: Failure): string {
  const name = textOf(params['additionalProperty'] ?? params['unevaluatedProperty']);
  const known = knownMembers(schema);
  if (known.length === 0) return 'is not known here';
  const suggestion = didYouMean(name, known) || otherName(name, known) || otherPlace(name, schema);
  return `is not known here; known: ${known.join(', ')}${suggestion}`;
}

/** Names that other programs give to what is known here as `insecure`. */
const NAMES_OF_INSECURE =
  /^(?:ssl|tls)?_?(?:verify|skip_?verify|reject_?unauthorized|insecure_?skip_?verify)(?:_?ssl|_?tls)?$/i;

function otherName(name: string, known: readonly string[]): string {
  const isKnown = NAMES_OF_INSECURE.test(name) && known.includes('insecure');
  return isKnown ? '; did you mean "insecure", which is true for no verification?' : '';
}

/** Maximum number of objects around a member that is suggested. */
const MAX_SUGGESTED_DEPTH = 3;

/**
 * Returns the nearest object below this one that has the member, for the end of a message; empty if there is none. Its path begins
 * here, because the pointer of the error may get a prefix.
 */
function otherPlace(name: string, schema: unknown): string {
  let level: readonly (readonly [path: string, schema: unknown])[] = [['', schema]];
  for (let depth = 0; depth < MAX_SUGGESTED_DEPTH; depth += 1) {
    level = level.flatMap(([path, one]) => {
      const properties = isJsonObject(one) && isJsonObject(one['properties']) ? one['properties'] : {};
      return Object.entries(properties).map(([key, value]) => [`${path}/${key}`, value] as const);
    });
    const found = level.find(([, one]) => knownMembers(one).includes(name));
    if (found) return `; "${found[0].slice(1)}" has it`;
  }
  return '';
}

/** Returns the names in `properties` of a schema and of the subschemas that apply to the same value. */
function knownMembers(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const composed = ['allOf', 'anyOf', 'oneOf', 'then', 'else'].flatMap((keyword) => [schema[keyword]].flat());
  const properties = isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  return [...new Set([...properties, ...composed.flatMap(knownMembers)])];
}

/** Returns the values of the discriminator tag that select a schema in `oneOf`. */
export function tagValues(schema: JsonSchema, tag: string): readonly unknown[] {
  return listOf(schema['oneOf']).flatMap((variant) => {
    const properties = isJsonObject(variant) ? variant['properties'] : undefined;
    const rule = isJsonObject(properties) ? properties[tag] : undefined;
    if (!isJsonObject(rule)) return [];
    return 'const' in rule ? [rule['const']] : listOf(rule['enum']);
  });
}

/** Returns the values that a schema allows by `const` or `enum`; empty if it has none. */
export function allowedValues(schema: unknown): readonly unknown[] {
  if (!isJsonObject(schema)) return [];
  if ('const' in schema) return [schema['const']];
  return listOf(schema['enum']);
}

function listOfAllowed(values: readonly unknown[], written: unknown): string {
  const words = values.map(textOf);
  const suggestion = typeof written === 'string' ? didYouMean(written, words) : '';
  return `must be ${words.length === 1 ? '' : 'one of '}${words.join(', ')}${suggestion}`;
}

/** Returns the unit of a number, from the annotation `x-unit`; `undefined` if the schema has none. */
export function unitOf(schema: JsonSchema): string | undefined {
  const unit = schema['x-unit'];
  return typeof unit === 'string' ? unit : undefined;
}

function countOf(params: Failure['params'], noun: string): string {
  const limit = textOf(params['limit']);
  return `${limit} ${noun}${limit === '1' ? '' : 's'}`;
}

/** Returns a constant of the schema as text: a string without quotes, any other value as JSON. */
export function textOf(constant: unknown): string {
  return typeof constant === 'string' ? constant : JSON.stringify(constant);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
