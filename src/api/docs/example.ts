import type { JsonSchema } from '../../core/schema.js';
import { alternativesOf, isRequired, isSchema, membersOf, type Resolve, typesOf } from './schema-reader.js';

/** Members of an example are not nested deeper, which ends schemas that contain themselves. */
const DEPTH = 8;

/** A value that the schema admits: what it gives as an example or a default, else the plainest of its kind. */
export function exampleOf(schema: JsonSchema, resolve: Resolve): unknown {
  return valueOf(schema, { resolve, depth: 0 });
}

interface ApiPath {
  readonly resolve: Resolve;
  readonly depth: number;
}

function valueOf(written: JsonSchema, way: ApiPath): unknown {
  const schema = way.resolve(written);
  const lists = [schema['examples'], schema['enum']].map((list): unknown => (Array.isArray(list) ? list[0] : undefined)); // prettier-ignore
  const given = [schema['const'], schema['default'], ...lists].find((value) => value !== undefined);
  if (given !== undefined) return given;
  const [first] = alternativesOf(schema);
  if (first && !schema['allOf']) return valueOf({ ...schema, ...NO_CHOICE, ...way.resolve(first) }, way);
  const types = typesOf(schema);
  const kind = types.find((type) => type !== 'null') ?? types[0] ?? 'object';
  return KINDS[kind]?.(schema, { ...way, depth: way.depth + 1 }) ?? null;
}

const NO_CHOICE = { oneOf: undefined, anyOf: undefined };

const KINDS: Readonly<Record<string, (schema: JsonSchema, way: ApiPath) => unknown>> = {
  string: textOf,
  integer: numberOf,
  number: numberOf,
  boolean: () => true,
  array: listOf,
  object: objectOf,
};

/** The members that are needed; of an object that needs none, all. */
function objectOf(schema: JsonSchema, way: ApiPath): object {
  const members = membersOf(schema);
  const needed = members.filter(([name]) => isRequired(schema, name));
  const shown = way.depth > DEPTH ? [] : needed.length > 0 ? needed : members;
  return Object.fromEntries(shown.map(([name, member]) => [name, valueOf(member, way)]));
}

function listOf({ items }: JsonSchema, way: ApiPath): readonly unknown[] {
  return isSchema(items) && way.depth <= DEPTH ? [valueOf(items, way)] : [];
}

function numberOf({ minimum }: JsonSchema): number {
  return typeof minimum === 'number' ? minimum : 1;
}

/** Texts of the forms that patterns and formats of this API ask for. */
const TEXTS = [
  'text',
  '/path',
  'application/json',
  'https://host.example/path',
  '2020-01-31T12:00:00.000Z',
  '0123456789abcdef01234567',
  '1',
];

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'https://host.example/path',
  'date-time': '2020-01-31T12:00:00.000Z',
  date: '2020-01-31',
};

function textOf({ format, pattern, minLength }: JsonSchema): string {
  const formatted = typeof format === 'string' ? FORMATS[format] : undefined;
  if (formatted !== undefined) return formatted;
  const least = typeof minLength === 'number' ? minLength : 0;
  const form = typeof pattern === 'string' ? new RegExp(pattern, 'u') : /^/;
  const fitting = TEXTS.find((text) => text.length >= least && form.test(text));
  return fitting ?? 'x'.repeat(Math.min(Math.max(least, 1), 100));
}
