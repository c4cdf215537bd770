import { isJsonObject, objectOf } from '../../../../../src/json/json-object.js';
import { isMembers, type Json } from '../json/json.js';
import { textsOf } from './keywords.js';
import { below } from './members.js';
import type { SchemaDocument, SchemaPart } from './schema-document.js';
import { selectBranches, type SelectedParts } from './selected-branches.js';

/** Maximum number of schemas that conditions add. Only a schema that refers to itself exceeds it. */
const MAX_ADDED_PARTS = 50;

/**
 * Returns the schemas that conditions add for a value: `then` or `else`, and the schemas that depend on the
 * members of the value; and the values of the members that select among the dependent schemas.
 */
export function conditionalParts(
  document: SchemaDocument,
  parts: readonly SchemaPart[],
  value: Json | undefined,
): SelectedParts {
  const added: SchemaPart[] = [];
  const choices = new Map<string, readonly Json[]>();
  const pending = parts.filter(isConditional);
  for (let part = pending.shift(); part && added.length < MAX_ADDED_PARTS; part = pending.shift()) {
    const dependent = dependentParts(document, part, { known: [...parts, ...added], value });
    const found = [...branchParts(document, part, value), ...dependent.flatMap((one) => one.parts)];
    for (const [name, values] of dependent.flatMap((one) => [...one.choices])) choices.set(name, values);
    added.push(...found);
    pending.push(...found.filter(isConditional));
  }
  return { parts: added, choices };
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

/** Returns the schemas of each dependency. Members that the value lacks add none, but may have choices. */
function dependentParts(
  document: SchemaDocument,
  part: SchemaPart,
  { known, value }: { readonly known: readonly SchemaPart[]; readonly value: Json | undefined },
): readonly SelectedParts[] {
  return CONDITION_KEYWORDS.slice(1).flatMap((keyword) =>
    Object.entries(objectOf(part.schema[keyword])).flatMap(([name, dependency]): readonly SelectedParts[] => {
      const isPresent = isMembers(value) && Object.hasOwn(value, name);
      const required = textsOf(dependency);
      if (required.length > 0) {
        const pointer = `${part.pointer}/${keyword}/${name}`;
        return isPresent
          ? [{ parts: [{ ...part, schema: { required }, pointer }], choices: NO_CHOICES }]
          : [];
      }
      if (!isPresent && !hasUnion(dependency)) return [];
      const parts = below(document, part, { schema: dependency, tokens: [keyword, name] });
      const selected = selectBranches(document, parts, { known, preferred: name, value });
      return [isPresent ? selected : { parts: [], choices: selected.choices }];
    }),
  );
}

const NO_CHOICES: SelectedParts['choices'] = new Map();

/** Returns true if a dependency may have alternatives. */
function hasUnion(dependency: unknown): boolean {
  return isJsonObject(dependency) && ['oneOf', 'anyOf', 'allOf', '$ref'].some((name) => name in dependency);
}
