import { isJsonObject, objectOf } from '../../../../../src/core/json-object.js';
import { isMembers, type Json } from '../json/json.js';
import { textsOf } from './keywords.js';
import { below } from './members.js';
import type { SchemaDocument, SchemaPart } from './schema-document.js';

/** Maximum number of schemas that conditions add. Only a schema that refers to itself exceeds it. */
const MAX_ADDED_PARTS = 50;

/**
 * Returns the schemas that conditions add for a value: `then` or `else`, and the schemas that depend on the
 * members of the value.
 */
export function conditionalParts(
  document: SchemaDocument,
  parts: readonly SchemaPart[],
  value: Json | undefined,
): readonly SchemaPart[] {
  const added: SchemaPart[] = [];
  const pending = parts.filter(isConditional);
  for (let part = pending.shift(); part && added.length < MAX_ADDED_PARTS; part = pending.shift()) {
    const found = [...branchParts(document, part, value), ...dependentParts(document, part, value)];
    added.push(...found);
    pending.push(...found.filter(isConditional));
  }
  return added;
}

const CONDITION_KEYWORDS = ['if', 'dependentSchemas', 'dependentRequired', 'dependencies'] as const;

/** Returns true for a schema with conditions. */
export function isConditional({ schema }: SchemaPart): boolean {
  return CONDITION_KEYWORDS.some((name) => schema[name] !== undefined);
}

/** Returns the branch of `if` that applies. An absent value is tested as an empty object. */
function branchParts(document: SchemaDocument, part: SchemaPart, value: Json = {}): readonly SchemaPart[] {
  const { schema, pointer } = part;
  const condition = schema['if'];
  if (typeof condition !== 'boolean' && !isJsonObject(condition)) return [];
  const holds =
    typeof condition === 'boolean'
      ? condition
      : document.test({ ...part, schema: condition, pointer: `${pointer}/if` }, value);
  const name = holds === true ? 'then' : 'else';
  return holds === undefined || schema[name] === undefined
    ? []
    : below(document, part, { schema: schema[name], tokens: [name] });
}

function dependentParts(
  document: SchemaDocument,
  part: SchemaPart,
  value: Json | undefined,
): readonly SchemaPart[] {
  if (!isMembers(value)) return [];
  return CONDITION_KEYWORDS.slice(1).flatMap((keyword) =>
    Object.entries(objectOf(part.schema[keyword]))
      .filter(([name]) => Object.hasOwn(value, name))
      .flatMap(([name, dependency]) => {
        const required = textsOf(dependency);
        if (required.length > 0)
          return [{ ...part, schema: { required }, pointer: `${part.pointer}/${keyword}/${name}` }];
        return below(document, part, { schema: dependency, tokens: [keyword, name] });
      }),
  );
}
