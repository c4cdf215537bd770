import { isJsonObject } from './json-object.js';
import { pointerTo, valueAt } from './pointer.js';
import type { JsonSchema } from './schema.js';

/** Schemas that are looked at: definitions that refer to one another have more ways through them than anyone can walk. */
const LIMIT = 20_000;

/**
 * Where a schema marks strings with `x-secret`, as pointers into what it describes, sorted. `*` stands for any member or
 * item. References within the schema are followed, a circle of them once. The outermost places are found first, and so
 * many schemas are looked at and no more.
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

/** A schema on the way, and the place of what it describes. */
interface Step {
  readonly schema: unknown;
  readonly pointer: string;
  /** References on the way here. */
  readonly followed: readonly string[];
}

/** Keywords whose value is a schema, or a list of schemas, for the same place. */
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
    // A list of schemas is what drafts before 2020-12 have in the place of prefixItems.
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

/** Pointers in references are percent-encoded (RFC 6901 section 6); one that is not stands for itself. */
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
