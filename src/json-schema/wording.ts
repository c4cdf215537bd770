import { isJsonObject } from '../core/json-object.js';
import type { JsonSchema } from '../core/schema.js';

/** Maximum length of a name that is compared, so that a hostile name costs nothing. */
const COMPARED_LENGTH = 64;

/** Returns the known name that a misspelled name most likely means; `undefined` if no name is close. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > COMPARED_LENGTH) return undefined;
  const near = known
    .map((candidate) => ({ candidate, away: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, away }) => away <= Math.min(2, Math.floor(candidate.length / 2)))
    .sort((a, b) => a.away - b.away);
  return near[0]?.candidate;
}

/** Returns the Levenshtein distance: how many characters to insert, delete or replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [line, letter] of Array.from(from).entries()) {
    const next = [line + 1];
    for (let at = 0; at < to.length; at += 1) {
      const replaced = (row[at] ?? 0) + (letter === to[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/**
 * Failed keyword: its name, Ajv's parameters, and the schema that contains it. Contains no value of the
 * instance.
 */
export interface Failure {
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema: JsonSchema;
}

/** Keywords whose message a schema's `x-hint` does not replace, because it is already exact. */
const EXACT = new Set([
  'type',
  'required',
  'dependentRequired',
  'additionalProperties',
  'unevaluatedProperties',
]);

/** Returns the error as a phrase that follows the name of the field. */
export function wordingOf(failure: Failure): string {
  const hint = failure.schema['x-hint'];
  if (typeof hint === 'string' && !EXACT.has(failure.keyword)) return hint;
  return WORDS[failure.keyword]?.(failure) ?? `does not satisfy "${failure.keyword}"`;
}

const WORDS: Readonly<Record<string, (failure: Failure) => string>> = {
  type: ({ params }) => `must be ${typeWords(params['type'])}`,
  required: () => 'is missing',
  dependentRequired: ({ params }) => `is missing; "${shown(params['property'])}" needs it`,
  additionalProperties: unknownMember,
  unevaluatedProperties: unknownMember,
  enum: ({ params }) => `must be ${oneOf(listOf(params['allowedValues']))}`,
  const: ({ params }) => `must be ${shown(params['allowedValue'])}`,
  discriminator: ({ params, schema }) => `must be ${oneOf(tagValues(schema, shown(params['tag'])))}`,
  pattern: ({ params }) => `must match the pattern ${shown(params['pattern'])}`,
  format: ({ params }) => `must be ${formatWords(shown(params['format']))}`,
  minimum: ({ params }) => `must be at least ${shown(params['limit'])}`,
  maximum: ({ params }) => `must be at most ${shown(params['limit'])}`,
  exclusiveMinimum: ({ params }) => `must be more than ${shown(params['limit'])}`,
  exclusiveMaximum: ({ params }) => `must be less than ${shown(params['limit'])}`,
  multipleOf: ({ params }) => `must be a multiple of ${shown(params['multipleOf'])}`,
  minLength: ({ params }) =>
    params['limit'] === 1 ? 'must not be empty' : `must have at least ${counted(params, 'character')}`,
  maxLength: ({ params }) => `must have at most ${counted(params, 'character')}`,
  minItems: ({ params }) => `must have at least ${counted(params, 'item')}`,
  maxItems: ({ params }) => `must have at most ${counted(params, 'item')}`,
  minProperties: ({ params }) => `must have at least ${counted(params, 'member')}`,
  maxProperties: ({ params }) => `must have at most ${counted(params, 'member')}`,
  items: ({ params }) => `must have at most ${counted(params, 'item')}`,
  uniqueItems: () => 'must not hold the same item twice',
  contains: () => 'does not hold the item that it must hold',
  anyOf: () => 'has none of the forms that it may have',
  oneOf: ({ params }) =>
    Array.isArray(params['passingSchemas'])
      ? 'has several forms at once where exactly one is allowed'
      : 'has none of the forms that it may have',
  not: () => 'is not allowed in this form',
  'false schema': () => 'is not allowed here',
};

/** Returns JSON types with their articles: `a string`, `an array or null`. */
function typeWords(types: unknown): string {
  const words = [types].flat().map((type) => TYPE_WORDS[shown(type)] ?? shown(type));
  return words.join(' or ');
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
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

function formatWords(format: string): string {
  return FORMAT_WORDS[format] ?? `of the format "${format}"`;
}

function unknownMember({ params, schema }: Failure): string {
  const name = shown(params['additionalProperty'] ?? params['unevaluatedProperty']);
  const known = knownMembers(schema);
  if (known.length === 0) return 'is not known here';
  const meant = closestName(name, known);
  return `is not known here; known: ${known.join(', ')}${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
}

/** Returns the member names in a schema and in the schemas that it is composed of. */
function knownMembers(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const composed = ['allOf', 'anyOf', 'oneOf', 'then', 'else'].flatMap((keyword) => [schema[keyword]].flat());
  const own = isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  return [...new Set([...own, ...composed.flatMap(knownMembers)])];
}

/** Returns the values of the tag that select one of the schemas of `oneOf`. */
function tagValues(schema: JsonSchema, tag: string): readonly unknown[] {
  return listOf(schema['oneOf']).flatMap((variant) => {
    const properties = isJsonObject(variant) ? variant['properties'] : undefined;
    const rule = isJsonObject(properties) ? properties[tag] : undefined;
    if (!isJsonObject(rule)) return [];
    return 'const' in rule ? [rule['const']] : listOf(rule['enum']);
  });
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? shown(values[0]) : `one of ${values.map(shown).join(', ')}`;
}

function counted(params: Failure['params'], noun: string): string {
  const limit = shown(params['limit']);
  return `${limit} ${noun}${limit === '1' ? '' : 's'}`;
}

/** Returns a constant of the schema as text: strings without quotes, everything else as JSON. */
function shown(constant: unknown): string {
  return typeof constant === 'string' ? constant : JSON.stringify(constant);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
