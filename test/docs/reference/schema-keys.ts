import type { JsonSchema } from '../../../src/core/schema.js';
import { typeOf } from './schema-types.js';
import { blocks, code, prose, table } from './write-markdown.js';

/** The keywords of JSON Schema that the tables of keys read. */
export interface Node {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly minLength?: number;
  readonly 'x-hint'?: string;
}

/** A documented key. */
export interface Key {
  /** Name with the names of its sections, for example `server.listen`. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Keys of one section, of the entries of a list or a map, or of one variant of a section. */
interface Group {
  readonly heading: string;
  readonly description: string;
  readonly keys: readonly Key[];
}

/** Returns the keys of a schema and of its sections, but not those of entries and variants. */
export function keysOf(schema: JsonSchema, prefix = ''): readonly Key[] {
  const { properties = {}, required = [] } = schema as Node;
  return Object.entries(properties).flatMap(([name, member]) => {
    const key = { name: prefix + name, schema: member, isRequired: required.includes(name) };
    return [key, ...keysOf(member, `${prefix}${name}.`)];
  });
}

/** Returns the keys of a schema, and the keys of all entries and variants below it. */
export function allKeysOf(schema: JsonSchema): readonly Key[] {
  const own = keysOf(schema);
  return [...own, ...groupsBelow(own).flatMap(({ keys }) => keys)];
}

/** Returns the groups of keys below the keys: entries of lists and maps, and variants. */
function groupsBelow(keys: readonly Key[]): readonly Group[] {
  return keys.flatMap(({ name, schema }) => {
    const { items, additionalProperties, oneOf = [] } = schema as Node;
    const entries = [items, additionalProperties].filter(hasProperties);
    const own = [
      ...entries.map((entry) => groupOf(`Entry of ${code(name)}`, entry, '')),
      ...oneOf
        .filter((variant) => 'title' in variant)
        .map((variant) => groupOf(`${code(name)} with ${tagOf(variant)}`, variant, `${name}.`)),
    ];
    return own.flatMap((group) => [group, ...groupsBelow(group.keys)]);
  });
}

function hasProperties(schema: JsonSchema | boolean | undefined): schema is JsonSchema {
  return typeof schema === 'object' && (schema as Node).properties !== undefined;
}

function groupOf(heading: string, schema: JsonSchema, prefix: string): Group {
  const { description = '', 'x-hint': hint = '' } = schema as Node;
  const rule = hint === '' ? '' : ` It ${hint}.`;
  const keys = keysOf(schema, prefix).filter(({ schema: { const: tag } }) => typeof tag !== 'string');
  return { heading, description: prose(description + rule), keys };
}

/** Returns the member that selects a variant, for example `type: basic`. */
function tagOf(variant: JsonSchema): string {
  const { properties = {} } = variant as Node;
  const [name, member] = Object.entries(properties).find(([, one]) => 'const' in one) ?? ['', {}];
  return code(`${name}: ${String((member as Node).const)}`);
}

/** Returns the further columns of a key. */
type MoreColumns = readonly (readonly [head: string, cell: (name: string) => string])[];

/** Returns the tables of a schema's keys: its own, then those of entries and variants below headings. */
export function tablesOf(keys: readonly Key[], level: string, more: MoreColumns = []): string {
  const groups = groupsBelow(keys).map(({ heading, description, keys: below }) =>
    blocks(`${level} ${heading}`, description, keyTable(below)),
  );
  return blocks(keyTable(keys, more), ...groups);
}

function keyTable(keys: readonly Key[], more: MoreColumns = []): string {
  if (keys.length === 0) return '';
  const head = ['Key', 'Value', 'Default', ...more.map(([title]) => title), 'Description'];
  const rows = keys.map(({ name, schema, isRequired }) => [
    code(name),
    typeOf(schema),
    presetOf(schema, isRequired),
    ...more.map(([, cell]) => cell(name)),
    descriptionOf(schema),
  ]);
  return table(head, rows);
}

function presetOf(schema: JsonSchema, isRequired: boolean): string {
  if (isRequired) return 'required';
  const { default: preset, properties } = schema as Node;
  if (preset === undefined || (properties && JSON.stringify(preset) === '{}')) return '';
  return code(JSON.stringify(preset));
}

/** A sentence of every secret, which the page says once. */
const REFERENCE_SENTENCE = / Write a reference such as \$VAULT_\S+\./;

/** A question of messages about wrong values. */
const QUESTION = / \([^()]*\?\)/;

/** Returns the description and the rule of the value, which messages about wrong values contain as well. */
function descriptionOf(schema: JsonSchema): string {
  const { title = '', description = title } = schema as Node;
  const hint = ruleOf(schema);
  const rule = hint === '' ? '' : ` ${hint[0]?.toUpperCase() ?? ''}${hint.slice(1)}.`;
  return prose((description + rule).replace(REFERENCE_SENTENCE, '').replace(QUESTION, ''));
}

/** Returns the rule of the value or of its entries, unless the column of the values shows it. */
function ruleOf(schema: JsonSchema): string {
  const { items, enum: words, anyOf, minLength, 'x-hint': hint } = schema as Node;
  if (words !== undefined || (anyOf !== undefined && !('type' in schema)) || (minLength ?? 0) > 1) return '';
  if (hint !== undefined) return hint;
  if (items === undefined || 'enum' in items || hasProperties(items)) return '';
  const ofItems = (items as Node)['x-hint'] ?? '';
  return ofItems.startsWith('must') ? `each ${ofItems}` : '';
}
