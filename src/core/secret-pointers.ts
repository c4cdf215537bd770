import { isJsonObject } from './json-object.js';
import { pointerTo, valueAt } from './pointer.js';
import type { JsonSchema } from './schema.js';

/**
 * Maximum number of visited schemas. Definitions that refer to each other can have too many paths to visit
 * all.
 */
const LIMIT = 20_000;

/**
 * Returns the locations that a schema marks with `x-secret`, as sorted pointers into the described value. `*`
 * is any member or item. References within the schema are followed, circular ones once. Visits the outermost
 * locations first, and at most {@link LIMIT} schemas.
 */
export function secretPointers(root: JsonSchema): readonly string[] {
  const places = new Set<string>();
  const steps: Step[] = [{ schema: root, pointer: '', followed: [] }];
  for (let at = 0; at < steps.length && at < LIMIT; at += 1) {
    const step = steps[at];
    if (!step || !isJsonObject(step.schema)) continue;
    if (step.schema['x-secret'] === true) places.add(step.pointer);
    steps.push(...stepsHere(step), ...stepsBelow(step), ...stepsAway(root, step));
  }
  return [...places].sort();
}

/** A schema to visit, and the location that it describes. */
interface Step {
  readonly schema: unknown;
  readonly pointer: string;
  /** References that led to the schema. */
  readonly followed: readonly string[];
}

/** Keywords whose value is a schema, or a list of schemas, for the same location. */
const HERE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

function stepsHere(step: Step): readonly Step[] {
  const { schema } = step;
  return isJsonObject(schema)
    ? HERE.flatMap((keyword) => schema[keyword] ?? []).map((one) => ({ ...step, schema: one }))
    : [];
}

function stepsBelow({ schema, pointer, followed }: Step): readonly Step[] {
  if (!isJsonObject(schema)) return [];
  const { properties, patternProperties, additionalProperties, prefixItems, items } = schema;
  const members: readonly (readonly [string, unknown])[] = [
    ...entriesOf(properties),
    ...entriesOf(patternProperties).map(([, one]) => ['*', one] as const),
    ['*', additionalProperties],
    ...entriesOf(prefixItems),
    // Drafts before 2020-12 use a list in `items` instead of `prefixItems`.
    ...(Array.isArray(items) ? entriesOf(items) : [['*', items] as const]),
  ];
  return members
    .filter(([, one]) => isJsonObject(one))
    .map(([token, one]) => ({ schema: one, pointer: pointerTo(pointer, token), followed }));
}

function stepsAway(root: JsonSchema, { schema, pointer, followed }: Step): readonly Step[] {
  const reference = isJsonObject(schema) && schema['$ref'];
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference) || followed.includes(reference))
    return [];
  const target = valueAt(root, decoded(reference.slice(1)));
  return [{ schema: target, pointer, followed: [...followed, reference] }];
}

/**
 * Decodes the pointer of a reference, which is percent-encoded (RFC 6901 section 6). Returns a malformed
 * pointer unchanged.
 */
function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
