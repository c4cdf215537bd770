import { isJsonObject, type JsonObject } from '../../../core/json-object.js';

/** A schema inside another, with the tokens that lead to it. */
export interface Subschema {
  readonly schema: unknown;
  readonly tokens: readonly (string | number)[];
}

type Shape = 'one' | 'several' | 'named';

/** Keywords of all drafts whose value is a schema, a list of them, or schemas by name. What is elsewhere is data. */
const SHAPES = new Map<string, readonly Shape[]>([
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'not'].map(one),
  ...['propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'].map(one),
  ...['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'].map(
    (keyword) => [keyword, ['named']] as const,
  ),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, ['several']] as const),
  ['items', ['one', 'several']],
]);

function one(keyword: string): readonly [string, readonly Shape[]] {
  return [keyword, ['one']];
}

/** The schemas directly inside a schema that are objects. */
export function subschemasOf(schema: JsonObject): readonly Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of Object.keys(schema)) {
    const shapes = SHAPES.get(keyword);
    if (shapes) collect({ schema: schema[keyword], tokens: [keyword] }, shapes, found);
  }
  return found;
}

function collect({ schema, tokens }: Subschema, shapes: readonly Shape[], found: Subschema[]): void {
  if (Array.isArray(schema)) {
    if (!shapes.includes('several')) return;
    for (const [index, item] of (schema as unknown[]).entries())
      if (isJsonObject(item)) found.push({ schema: item, tokens: [...tokens, index] });
  } else if (isJsonObject(schema)) {
    if (shapes.includes('one')) found.push({ schema, tokens });
    if (!shapes.includes('named')) return;
    for (const name of Object.keys(schema))
      if (isJsonObject(schema[name])) found.push({ schema: schema[name], tokens: [...tokens, name] });
  }
}
