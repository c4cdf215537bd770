import type { Schema } from './operation.js';

export type Schemas = Readonly<Record<string, Schema>>;

/** Maximum depth of an example. */
const MAX_DEPTH = 8;

/**
 * Returns the target of a reference in the document; the schema itself if it is not a reference. The length
 * of a chain of references is limited.
 */
export function resolveReference(schema: Schema, schemas: Schemas): Schema {
  let found = schema;
  for (let step = 0; step < MAX_DEPTH; step++) {
    const reference = found['$ref'];
    if (typeof reference !== 'string') return found;
    found = schemas[reference.replace('#/components/schemas/', '')] ?? {};
  }
  return {};
}

/**
 * Returns an example value for a schema: its examples and defaults if present, and the required members of
 * objects.
 */
export function exampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  const found = resolveReference(schema, schemas);
  const declared = declaredExample(found);
  if (declared !== undefined || depth > MAX_DEPTH) return declared ?? null;
  const [choice] = choicesOf(found);
  if (choice) return exampleOf(choice, schemas, depth + 1);
  const type = typeOf(found);
  if (type === 'object') return exampleObject(found, schemas, depth);
  if (type === 'array') return exampleArray(found, schemas, depth);
  return EMPTY_VALUES[type] ?? null;
}

function typeOf({ type, properties }: Schema): string {
  const first: unknown = Array.isArray(type) ? type[0] : type;
  if (typeof first === 'string') return first;
  return properties === undefined ? 'null' : 'object';
}

const EMPTY_VALUES: Readonly<Record<string, unknown>> = { string: '', integer: 0, number: 0, boolean: false };

function declaredExample(schema: Schema): unknown {
  const { examples, default: preset } = schema as { readonly examples?: unknown; readonly default?: unknown };
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as unknown;
  if (preset !== undefined) return preset;
  if (schema['const'] !== undefined) return schema['const'];
  return Array.isArray(schema['enum']) ? (schema['enum'][0] as unknown) : undefined;
}

function choicesOf(schema: Schema): readonly Schema[] {
  return ['oneOf', 'anyOf', 'allOf'].flatMap((key) => {
    const choices = schema[key];
    return Array.isArray(choices) && schema['properties'] === undefined ? (choices as readonly Schema[]) : [];
  });
}

function exampleObject(schema: Schema, schemas: Schemas, depth: number): object {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(wanted.map(([name, inner]) => [name, exampleOf(inner, schemas, depth + 1)]));
}

function exampleArray({ items, minItems }: Schema, schemas: Schemas, depth: number): readonly unknown[] {
  const isNeeded = typeof minItems === 'number' && minItems > 0;
  return isNeeded && typeof items === 'object' ? [exampleOf(items as Schema, schemas, depth + 1)] : [];
}
