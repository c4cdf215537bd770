import { isJsonObject, objectOf } from '../../../../../src/json/json-object.js';
import type { Field } from '../field/field.js';
import { below, declaredNames } from '../field/members.js';
import type { SchemaPart } from '../field/schema-document.js';
import { UNION_KEYWORDS } from '../field/selected-branches.js';

const NAMES = new WeakMap<object, ReadonlySet<string>>();

/** Returns the names of the members that a field has under some condition. */
export function branchNames({ source: { document }, parts }: Field): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (part: SchemaPart, depth: number): void => {
    const known = NAMES.get(part.schema);
    const own = known ?? new Set(branchesOf(part).flatMap((branch) => namesIn(branch, depth)));
    if (!known) NAMES.set(part.schema, own);
    for (const name of own) names.add(name);
  };
  const branchesOf = (part: SchemaPart): readonly (readonly SchemaPart[])[] => {
    const { schema } = part;
    const branches = ['then', 'else'].map((name) => ({ schema: schema[name], tokens: [name] }));
    const dependent = ['dependentSchemas', 'dependencies'].flatMap((keyword) =>
      Object.entries(objectOf(schema[keyword])).map(([name, inner]) => ({
        schema: inner,
        tokens: [keyword, name],
      })),
    );
    return [...branches, ...dependent]
      .filter((step) => isJsonObject(step.schema))
      .map((step) => below(document, part, step));
  };
  const namesIn = (branch: readonly SchemaPart[], depth: number): readonly string[] => {
    if (depth > MAX_DEPTH) return [];
    const inner = branch.flatMap((part) => [
      ...branchesOf(part),
      ...UNION_KEYWORDS.flatMap((keyword) => {
        const written = part.schema[keyword];
        return Array.isArray(written)
          ? written.map((schema: unknown, at) => below(document, part, { schema, tokens: [keyword, at] }))
          : [];
      }),
    ]);
    return [...declaredNames(branch), ...inner.flatMap((parts) => namesIn(parts, depth + 1))];
  };
  for (const part of parts) add(part, 0);
  return names;
}

/** Maximum nesting of conditions. */
const MAX_DEPTH = 5;
