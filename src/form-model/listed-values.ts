import { isJsonObject } from '../json/json-object.js';
import { pointerTokens, valueAt } from '../json/pointer.js';

/** Maximum number of schemas on the way to a field, so that a schema that refers to itself ends. */
const MAX_SCHEMAS = 100;

/**
 * Returns true if the schema of a field lists a value: by `enum`, `const`, or `oneOf` and `anyOf` with constants. `pointer`
 * is that of the field in the data, with `*` or an index for entries of lists.
 */
export function isListedValue(schema: unknown, pointer: string, value: unknown): boolean {
  let fields: readonly unknown[] = [schema];
  for (const token of pointerTokens(pointer))
    fields = withReferences(schema, fields).flatMap((field) => membersOf(field, token));
  return withReferences(schema, fields).some((field) => lists(field, value));
}

function lists(field: unknown, value: unknown): boolean {
  if (!isJsonObject(field)) return false;
  const { enum: listed, const: constant, oneOf, anyOf } = field;
  if (constant === value && value !== undefined) return true;
  if (Array.isArray(listed) && listed.includes(value)) return true;
  return [oneOf, anyOf].some(
    (alternatives) =>
      Array.isArray(alternatives) &&
      alternatives.some((each) => isJsonObject(each) && each['const'] === value),
  );
}

function membersOf(field: unknown, token: string): readonly unknown[] {
  if (!isJsonObject(field)) return [];
  const { properties, items } = field;
  if (isJsonObject(properties) && Object.hasOwn(properties, token)) return [properties[token]];
  return /^(?:\*|\d+)$/.test(token) && items !== undefined ? [items] : [];
}

/** Returns the schemas, and those to which they refer in the same document or by `allOf`. */
function withReferences(root: unknown, fields: readonly unknown[]): readonly unknown[] {
  const found = new Set<unknown>();
  const add = (field: unknown): void => {
    if (!isJsonObject(field) || found.has(field) || found.size >= MAX_SCHEMAS) return;
    found.add(field);
    const { $ref: reference, allOf } = field;
    if (typeof reference === 'string' && /^#(?:\/|$)/.test(reference)) add(valueAt(root, reference.slice(1)));
    if (Array.isArray(allOf)) allOf.forEach(add);
  };
  fields.forEach(add);
  return [...found];
}
