import type { JsonSchema } from '../core/schema.js';
import { isJsonObject } from '../json/json-object.js';
import { pointerTo } from '../json/pointer.js';
import { NAME_SCHEMA, TEXT_DEFINITIONS } from './editor-text.js';

/** Returns true if a text at this pointer may be a reference to a secret. */
type AllowsReference = (pointer: string) => boolean;

/** A schema during the conversion, with its location in a configuration. */
interface Place {
  readonly pointer: string;
  readonly allowsReference: AllowsReference;
}

/**
 * Returns the form of a configuration schema for editors and other validators of JSON Schema. The form
 * accepts what is written in a file: variables and references in place of values. It consists of standard
 * keywords, `errorMessage` and `patternErrorMessage`, which the YAML language server shows.
 */
export function toEditorSchema(schema: JsonSchema, allowsReference: AllowsReference): JsonSchema {
  return { ...convert(schema, { pointer: '', allowsReference }), $defs: TEXT_DEFINITIONS };
}

/** Returns true for a keyword of gatehouse that other validators do not know. */
function isOwn(keyword: string): boolean {
  return keyword.startsWith('x-') || keyword === 'discriminator';
}

function convert(schema: JsonSchema, place: Place): JsonSchema {
  if ('$ref' in schema) return schema;
  if ('discriminator' in schema) return convertUnion(schema, place);
  if (isAnyValue(schema)) return ANY_VALUE;
  if (isNotNull(schema)) return { type: NOT_NULL_TYPES, errorMessage: sentenceOf(schema) };
  const parts = [convertMembers, convertAlternatives, convertScalar].map((part) => part(schema, place));
  const allOf = parts.flatMap((part) => (part['allOf'] ?? []) as readonly JsonSchema[]);
  const own = Object.entries(schema).filter(([keyword]) => !isOwn(keyword));
  return withoutUndefined({
    ...Object.fromEntries(own),
    ...(Object.assign({}, ...parts) as JsonSchema),
    ...(allOf.length > 0 && { allOf }),
  });
}

function withoutUndefined(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

const NOT_NULL_TYPES = ['string', 'number', 'boolean', 'object', 'array'];

/** Returns true for a schema that only excludes null. The YAML language server has no message for `not`. */
function isNotNull({ not, ...others }: JsonSchema): boolean {
  return isJsonObject(not) && not['const'] === null && Object.keys(others).every(isOwn);
}

const ANY_VALUE: JsonSchema = { $ref: '#/$defs/value' };

/** Returns true for the schema of any JSON value. The internal schema also limits how deeply it is nested. */
function isAnyValue({ items, additionalProperties }: JsonSchema): boolean {
  return items !== undefined && items === additionalProperties;
}

/** Converts the schemas of members, items and names. */
function convertMembers(schema: JsonSchema, place: Place): JsonSchema {
  const { properties, additionalProperties, items, propertyNames, then, else: otherwise, allOf } = schema;
  const at = (token: string): Place => ({ ...place, pointer: pointerTo(place.pointer, token) });
  const member = (value: unknown, where: Place): unknown =>
    isJsonObject(value) ? convert(value, where) : value;
  const isOpenObject = typesOf(schema).includes('object') && properties === undefined;
  return {
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, member(value, at(name))]),
      ),
    }),
    ...(additionalProperties !== undefined
      ? { additionalProperties: member(additionalProperties, at('*')) }
      : isOpenObject && { additionalProperties: ANY_VALUE }),
    ...(isOpenObject && {
      propertyNames: isJsonObject(propertyNames) ? nameSchema(propertyNames) : NAME_SCHEMA,
    }),
    ...(items !== undefined
      ? { items: member(items, at('0')) }
      : typesOf(schema).includes('array') && { items: ANY_VALUE }),
    ...(then !== undefined && { then: member(then, place) }),
    ...(otherwise !== undefined && { else: member(otherwise, place) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map((part) => member(part, place)) }),
  };
}

function nameSchema({ 'x-hint': hint, ...own }: JsonSchema): JsonSchema {
  return { ...own, ...(typeof hint === 'string' && { patternErrorMessage: `The name ${hint}.` }) };
}

/**
 * Converts a `oneOf` whose branches require one member each. The YAML language server reports several members
 * without naming them, so that they become pairs of which each excludes the other.
 */
function convertAlternatives(schema: JsonSchema): JsonSchema {
  const { oneOf } = schema;
  if (!Array.isArray(oneOf)) return {};
  const names = oneOf.map((branch) => ((branch as JsonSchema)['required'] as readonly string[])[0] ?? '');
  const errorMessage = sentenceOf(schema);
  return {
    oneOf: undefined,
    anyOf: names.map((name) => ({ required: [name], properties: { [name]: true }, errorMessage })),
    allOf: names.slice(0, -1).map((name, at) => ({
      if: { required: [name], properties: { [name]: true } },
      then: {
        properties: Object.fromEntries(names.slice(at + 1).map((other) => [other, false])),
        errorMessage,
      },
    })),
  };
}

/** Converts the branches of a union into one condition each, so that a fault belongs to the branch of its tag. */
function convertUnion(schema: JsonSchema, place: Place): JsonSchema {
  const { discriminator, oneOf, ...own } = schema;
  const { propertyName: tag } = discriminator as { readonly propertyName: string };
  const branches = (oneOf as readonly JsonSchema[]).map((branch) => {
    const converted = convert(branch, place);
    const members = converted['properties'] as Readonly<Record<string, JsonSchema>>;
    const { const: value, description, title } = propertyOf(branch, tag);
    return {
      ...converted,
      properties: { ...members, [tag]: { title, description, const: value } },
      value,
      title,
    };
  });
  const tagSchema = {
    title: branches[0]?.title,
    description: 'Selects the keys beside it.',
    enum: branches.map(({ value }) => value),
  };
  const names = [...new Set(branches.flatMap(({ properties }) => Object.keys(properties)))];
  const when = (condition: JsonSchema): JsonSchema => ({ properties: { [tag]: condition }, required: [tag] });
  return {
    ...own,
    required: [tag],
    properties: { [tag]: convert(tagSchema, { ...place, pointer: pointerTo(place.pointer, tag) }) },
    allOf: [
      ...branches.map(({ value, ...then }) => ({ if: when({ const: value }), then })),
      {
        if: when({ $ref: '#/$defs/substituted' }),
        then: {
          additionalProperties: false,
          properties: Object.fromEntries(names.map((name) => [name, true])),
        },
      },
    ],
  };
}

function propertyOf(schema: JsonSchema, name: string): JsonSchema {
  return (schema['properties'] as Readonly<Record<string, JsonSchema>>)[name] ?? {};
}

/** Converts the keywords for texts, numbers and booleans. */
function convertScalar(schema: JsonSchema, place: Place): JsonSchema {
  const suffix = place.allowsReference(place.pointer) ? '' : 'WithoutReference';
  const definition = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}${suffix}` });
  const errorMessage = sentenceOf(schema);
  const { enum: words, const: word, anyOf, type, minimum, maximum } = schema;
  if (words !== undefined || word !== undefined) {
    const values = { enum: words, const: word, errorMessage };
    return {
      type: undefined,
      enum: undefined,
      const: undefined,
      anyOf: [withoutUndefined(values), definition('word')],
    };
  }
  if (Array.isArray(anyOf))
    return {
      anyOf: [...anyOf.map((branch: JsonSchema) => ({ ...branch, errorMessage })), definition('word')],
    };
  if (typesOf(schema).includes('string')) return { ...convertText(schema), ...definition('text') };
  if (!['integer', 'number', 'boolean'].some((name) => typesOf(schema).includes(name))) return {};
  const number = withoutUndefined({ type, minimum, maximum, errorMessage });
  return { type: undefined, minimum: undefined, maximum: undefined, anyOf: [number, definition('scalar')] };
}

/** Converts the keywords for texts. A text with a variable or a reference can have any length and form. */
function convertText(schema: JsonSchema): JsonSchema {
  const { pattern, format, minLength = 0, maxLength } = schema as TextKeywords;
  if (format !== undefined && format !== 'json-pointer')
    throw new Error(`there is no pattern for the format ${format}`);
  const hasLength = minLength > 1 || maxLength !== undefined;
  const patterns = [
    ...(pattern === undefined ? [] : [pattern]),
    ...(format === undefined ? [] : [JSON_POINTER]),
    ...(hasLength ? [`^[\\s\\S]{${minLength},${maxLength ?? ''}}$`] : []),
  ];
  const sentence = sentenceOf(schema);
  const alternatives = patterns.map((one) => ({
    anyOf: [{ pattern: one, patternErrorMessage: sentence }, { $ref: '#/$defs/substituted' }],
  }));
  return {
    pattern: undefined,
    format: undefined,
    minLength: minLength === 1 ? 1 : undefined,
    maxLength: undefined,
    ...(!typesOf(schema).includes('object') && { errorMessage: sentence }),
    ...(alternatives.length > 1 ? { allOf: alternatives } : alternatives[0]),
  };
}

interface TextKeywords {
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Pattern of a JSON pointer (RFC 6901). */
const JSON_POINTER = '^(?:/(?:[^~/]|~0|~1)*)*$';

function typesOf({ type }: JsonSchema): readonly unknown[] {
  return [type].flat();
}

/** Returns the requirement of a key as a sentence: its hint, or what its keywords say. */
function sentenceOf(schema: JsonSchema): string {
  const { title = 'The value', 'x-hint': hint } = schema;
  return `${String(title)} ${typeof hint === 'string' ? hint : requirementOf(schema)}.`;
}

function requirementOf(schema: JsonSchema): string {
  const { enum: words, const: word, minimum, maximum, minLength, maxLength } = schema;
  if (Array.isArray(words)) return `must be one of ${words.map(textOf).join(', ')}`;
  if (word !== undefined) return `must be ${textOf(word)}`;
  const types = typesOf(schema).map((type) => TYPE_WORDS[String(type)] ?? 'something else');
  const length = typesOf(schema).includes('string') ? rangeOf(minLength, maxLength, ' characters') : '';
  return `must be ${types.join(' or ')}${rangeOf(minimum, maximum)}${length}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function textOf(constant: unknown): string {
  return typeof constant === 'string' ? constant : JSON.stringify(constant);
}

function rangeOf(least: unknown, most: unknown, unit = ''): string {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return ` of at least ${textOf(least)}${unit}`;
  if (least === undefined) return ` of at most ${textOf(most)}${unit}`;
  return ` from ${textOf(least)} to ${textOf(most)}${unit}`;
}
