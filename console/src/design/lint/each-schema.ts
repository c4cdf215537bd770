import { isJsonObject, type JsonObject } from '../../../../src/core/json-object.js';
import { pointerTo } from '../../../../src/core/pointer.js';

/** Keywords whose value is a schema. */
const ONE = [
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
] as const;

/** Keywords whose value is a list of schemas. */
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'] as const;

/** Keywords whose value is schemas by name. */
const NAMED = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
] as const;

/** Maximum number of schemas that are visited. */
const MOST = 200_000;

/**
 * Yields every schema in a schema with its pointer, starting with the schema itself. `true` and `false` are
 * skipped.
 */
export function* eachSchema(root: unknown): Generator<readonly [schema: JsonObject, pointer: string]> {
  const waiting: (readonly [value: unknown, pointer: string])[] = [[root, '']];
  for (let count = 0; count < MOST; count += 1) {
    const next = waiting.pop();
    if (!next) return;
    const [schema, pointer] = next;
    if (!isJsonObject(schema)) continue;
    yield [schema, pointer];
    waiting.push(...below(schema, pointer).reverse());
  }
}

function below(schema: JsonObject, pointer: string): (readonly [value: unknown, pointer: string])[] {
  const found: (readonly [value: unknown, pointer: string])[] = [];
  for (const keyword of NAMED) {
    const named = schema[keyword];
    if (isJsonObject(named))
      for (const [name, value] of Object.entries(named))
        found.push([value, pointerTo(`${pointer}/${keyword}`, name)]);
  }
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list))
      list.forEach((value: unknown, at) => found.push([value, pointerTo(`${pointer}/${keyword}`, at)]));
  }
  for (const keyword of ONE)
    if (isJsonObject(schema[keyword])) found.push([schema[keyword], `${pointer}/${keyword}`]);
  return found;
}
