import type { JsonSchema } from '../../core/schema.js';
import { isJsonObject } from '../../json/json-object.js';
import { pointerTo, valueAt } from '../../json/pointer.js';

/**
 * Maximum number of visited schemas. Definitions that refer to each other can have too many paths to visit
 * all.
 */
const MAX_VISITED_SCHEMAS = 20_000;

/**
 * Returns the locations that a schema marks with `x-secret`, as sorted pointers into the described value; `*`
 * is any member or item. Follows references within the schema, and a circular reference once. Visits the
 * outermost locations first, and at most {@link MAX_VISITED_SCHEMAS} schemas.
 */
export function secretPointers(root: JsonSchema): readonly string[] {
  const pointers = new Set<string>();
  const visits: SchemaVisit[] = [{ schema: root, pointer: '', followed: [] }];
  for (let at = 0; at < visits.length && at < MAX_VISITED_SCHEMAS; at += 1) {
    const visit = visits[at];
    if (!visit || !isJsonObject(visit.schema)) continue;
    if (visit.schema['x-secret'] === true) pointers.add(visit.pointer);
    visits.push(...visitsInPlace(visit), ...visitsOfMembers(visit), ...visitsOfReference(root, visit));
  }
  return [...pointers].sort();
}

/** A schema to visit, and the location that it describes. */
interface SchemaVisit {
  readonly schema: unknown;
  readonly pointer: string;
  /** References that led to the schema. */
  readonly followed: readonly string[];
}

/** Keywords whose value is a schema, or a list of schemas, for the same location. */
const IN_PLACE_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

function visitsInPlace(visit: SchemaVisit): readonly SchemaVisit[] {
  const { schema } = visit;
  return isJsonObject(schema)
    ? IN_PLACE_KEYWORDS.flatMap((keyword) => schema[keyword] ?? []).map((subschema) => ({
        ...visit,
        schema: subschema,
      }))
    : [];
}

function visitsOfMembers({ schema, pointer, followed }: SchemaVisit): readonly SchemaVisit[] {
  if (!isJsonObject(schema)) return [];
  const { properties, patternProperties, additionalProperties, prefixItems, items } = schema;
  const members: readonly (readonly [string, unknown])[] = [
    ...entriesOf(properties),
    ...entriesOf(patternProperties).map(([, subschema]) => ['*', subschema] as const),
    ['*', additionalProperties],
    ...entriesOf(prefixItems),
    // Drafts before 2020-12 use a list in `items` instead of `prefixItems`.
    ...(Array.isArray(items) ? entriesOf(items) : [['*', items] as const]),
  ];
  return members
    .filter(([, subschema]) => isJsonObject(subschema))
    .map(([token, subschema]) => ({ schema: subschema, pointer: pointerTo(pointer, token), followed }));
}

function visitsOfReference(
  root: JsonSchema,
  { schema, pointer, followed }: SchemaVisit,
): readonly SchemaVisit[] {
  const reference = isJsonObject(schema) && schema['$ref'];
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference) || followed.includes(reference))
    return [];
  const target = valueAt(root, decodePointer(reference.slice(1)));
  return [{ schema: target, pointer, followed: [...followed, reference] }];
}

/**
 * Decodes the pointer of a reference, which is percent-encoded (RFC 6901 section 6). Returns a malformed
 * pointer unchanged.
 */
function decodePointer(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
