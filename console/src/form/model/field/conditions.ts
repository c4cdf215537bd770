import { isJsonObject } from '../../../../../src/core/json-object.js';
import { isMembers, type Json } from '../json/json.js';
import { objectOf, textsOf } from './keywords.js';
import { below } from './members.js';
import type { SchemaDocument, SchemaPart } from './schema-document.js';

/** Maximum number of schemas that conditions add; only a schema that refers to itself exceeds it. */
const MOST = 50;

/**
 * Returns the schemas that conditions add for a value: `then` or `else`, and those that depend on present
 * members.
 */
export function consequences(
  document: SchemaDocument,
  parts: readonly SchemaPart[],
  value: Json | undefined,
): readonly SchemaPart[] {
  const added: SchemaPart[] = [];
  const waiting = parts.filter(isConditional);
  for (let part = waiting.shift(); part && added.length < MOST; part = waiting.shift()) {
    const found = [...decided(document, part, value), ...dependent(document, part, value)];
    added.push(...found);
    waiting.push(...found.filter(isConditional));
  }
  return added;
}

const KEYWORDS = ['if', 'dependentSchemas', 'dependentRequired', 'dependencies'] as const;

/** True for a schema with conditions. */
export function isConditional({ schema }: SchemaPart): boolean {
  return KEYWORDS.some((name) => schema[name] !== undefined);
}

/** Returns the branch of `if` that applies. An absent value is tested as an empty object. */
function decided(document: SchemaDocument, part: SchemaPart, value: Json = {}): readonly SchemaPart[] {
  const { schema, place } = part;
  const test = schema['if'];
  if (typeof test !== 'boolean' && !isJsonObject(test)) return [];
  const holds =
    typeof test === 'boolean' ? test : document.test({ ...part, schema: test, place: `${place}/if` }, value);
  const name = holds === true ? 'then' : 'else';
  return holds === undefined || schema[name] === undefined
    ? []
    : below(document, part, { schema: schema[name], tokens: [name] });
}

function dependent(
  document: SchemaDocument,
  part: SchemaPart,
  value: Json | undefined,
): readonly SchemaPart[] {
  if (!isMembers(value)) return [];
  return KEYWORDS.slice(1).flatMap((keyword) =>
    Object.entries(objectOf(part.schema[keyword]))
      .filter(([name]) => Object.hasOwn(value, name))
      .flatMap(([name, wanted]) => {
        const required = textsOf(wanted);
        if (required.length > 0)
          return [{ ...part, schema: { required }, place: `${part.place}/${keyword}/${name}` }];
        return below(document, part, { schema: wanted, tokens: [keyword, name] });
      }),
  );
}
