import type { JsonSchema } from '../../core/schema.js';
import { alternativesOf, isRequired, isSchema, membersOf, type Resolve, typesOf } from './schema-reader.js';

/** One row of the table of a schema. */
export interface Field {
  /** Path from the root, for example `forms[].name` or `headers.*`; empty for the root. */
  readonly name: string;
  readonly type: string;
  readonly isNeeded: boolean;
  readonly meaning: string;
}

/** A schema during the traversal, and its ancestors for the detection of cycles. */
interface RequestField {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isNeeded: boolean;
  readonly above: readonly unknown[];
}

/** Maximum depth of listed members. */
const DEPTH = 8;

/**
 * Returns every member of a schema, parents first. The root has a separate row unless it is a plain object.
 */
export function fieldsOf(schema: JsonSchema, resolve: Resolve): readonly Field[] {
  const isPlain = membersOf(resolve(schema)).length > 0;
  const fields = fieldsAt({ name: '', schema, isNeeded: true, above: [] }, resolve);
  const seen = new Set<string>();
  return fields.slice(isPlain ? 1 : 0).filter(({ name, type }) => {
    const line = `${name} ${type}`;
    return !seen.has(line) && seen.add(line);
  });
}

function fieldsAt(place: RequestField, resolve: Resolve): readonly Field[] {
  const schema = resolve(place.schema);
  const { name, isNeeded } = place;
  const own = { name, isNeeded, type: typeOf(schema, resolve), meaning: meaningOf(schema) };
  return [own, ...below({ ...place, schema }, resolve)];
}

/** Returns the nested fields; lists and alternatives contribute their members without a separate row. */
function below({ name, schema, above }: RequestField, resolve: Resolve): readonly Field[] {
  const mark = schema['properties'] ?? schema;
  if (above.length >= DEPTH || above.includes(mark)) return [];
  const inside = { above: [...above, mark], isNeeded: false };
  const prefix = name === '' ? '' : `${name}.`;
  const { items, additionalProperties: others } = schema;
  const parts = alternativesOf(schema).map((part) => ({ ...inside, name, schema: resolve(part) }));
  const list = isSchema(items) ? [{ ...inside, name: `${name}[]`, schema: resolve(items) }] : [];
  return [
    ...membersOf(schema).flatMap(([key, member]) =>
      fieldsAt({ ...inside, name: prefix + key, schema: member, isNeeded: isRequired(schema, key) }, resolve),
    ),
    ...(isSchema(others) ? fieldsAt({ ...inside, name: `${prefix}*`, schema: others }, resolve) : []),
    ...[...list, ...parts].flatMap((place) => below(place, resolve)),
  ];
}

/** Returns the type in words, for example `list of text or null`. */
function typeOf(schema: JsonSchema, resolve: Resolve): string {
  const { items } = schema;
  const named = typesOf(schema).map((type) =>
    type === 'array' && isSchema(items)
      ? `list of ${typeOf(resolve(items), resolve)}`
      : (TYPE_WORDS[type] ?? type),
  );
  const alternatives = alternativesOf(schema).map((part) => typeOf(resolve(part), resolve));
  const given = [schema['const'], schema['enum']].flat().filter((value) => value !== undefined);
  const values = given.map((value) => (value === null ? 'null' : (TYPE_WORDS[typeof value] ?? typeof value)));
  const [words = []] = [named, alternatives, values].filter((list) => list.length > 0);
  return [...new Set(words)].join(' or ') || 'anything';
}

const TYPE_WORDS: Readonly<Record<string, string>> = { string: 'text', array: 'list' };

/** Returns the description and the constraints of a schema as sentences. */
function meaningOf(schema: JsonSchema): string {
  const facts: readonly (readonly [string, string])[] = [
    ['const', 'Always'],
    ['enum', 'One of'],
    ['default', 'Default:'],
    ['format', 'Format:'],
    ['minimum', 'At least'],
    ['maximum', 'At most'],
    ['minLength', 'Characters, at least'],
    ['maxLength', 'Characters, at most'],
    ['minItems', 'Elements, at least'],
    ['maxItems', 'Elements, at most'],
  ];
  const reported = facts.flatMap(([key, words]) =>
    schema[key] === undefined ? [] : [`${words} ${valueText(schema[key])}`],
  );
  const hint = schema['x-hint'];
  const said = [schema['description'], typeof hint === 'string' ? `It ${hint}` : undefined]
    .filter((text) => typeof text === 'string'); // prettier-ignore
  return [...said, ...reported].map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(' ');
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}
