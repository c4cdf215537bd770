import type { JsonObject } from '../../../src/json/json-object.js';
import { valueAt } from '../../../src/json/pointer.js';
import { type Branch, branchesOf } from './branches.js';
import { type Condition, schemaOfCondition } from './condition.js';
import type { FormDraft } from './draft.js';
import { objectAt, textsAt, withMember } from './json-edit.js';

/** Returns the type of the field that a condition tests. */
function testedType(schema: JsonObject, owner: string, { field }: Condition): unknown {
  const containers = [owner, ...branchesOf(schema, owner).map(({ container }) => container)];
  return containers
    .map((container) => objectAt(objectAt(schema, `${container}/properties`), `/${escaped(field)}`)['type'])
    .find((type) => type !== undefined);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the form with a branch of an object for a condition, and the container of its fields. */
export function withBranch(
  draft: FormDraft,
  owner: string,
  condition: Condition,
): { readonly draft: FormDraft; readonly container: string } {
  const wanted = JSON.stringify(schemaOfCondition(condition, testedType(draft.schema, owner, condition)));
  const known = branchesOf(draft.schema, owner).find(
    ({ at, container }) =>
      container.endsWith('/then') && JSON.stringify(valueAt(draft.schema, `${at}/if`)) === wanted,
  );
  if (known) return { draft, container: known.container };
  const found = valueAt(draft.schema, `${owner}/allOf`);
  const all: readonly unknown[] = Array.isArray(found) ? found : [];
  const branch = { if: JSON.parse(wanted) as unknown, then: {} };
  const schema = withMember(draft.schema, `${owner}/allOf`, [...all, branch]);
  return { draft: { ...draft, schema }, container: `${owner}/allOf/${all.length}/then` };
}

/** Removes the branches of an object that no longer describe or require a field. */
export function withoutEmptyBranches(draft: FormDraft, owner: string): FormDraft {
  // From the last to the first, because a removal moves the branches after it.
  const empty = branchesOf(draft.schema, owner)
    .filter(({ container }) => isEmpty(objectAt(draft.schema, container)))
    .reverse();
  let schema = empty.reduce((current, branch) => withoutBranch(current, branch, owner), draft.schema);
  for (const keyword of ['allOf', 'dependentSchemas']) {
    const rest = valueAt(schema, `${owner}/${keyword}`);
    const isUnused = empty.length > 0 && typeof rest === 'object' && Object.keys(rest ?? {}).length === 0;
    if (isUnused) schema = withMember(schema, `${owner}/${keyword}`, undefined);
  }
  return schema === draft.schema ? draft : { ...draft, schema };
}

function isEmpty(container: JsonObject): boolean {
  const fields = Object.keys(objectAt(container, '/properties')).length;
  return fields === 0 && textsAt(container, '/required').length === 0;
}

function withoutBranch(schema: JsonObject, { at }: Branch, owner: string): JsonObject {
  if (at !== owner) return withMember(schema, at, undefined);
  return withMember(withMember(schema, `${at}/if`, undefined), `${at}/then`, undefined);
}

/** Removes the conditions under which a field is required. */
export function withoutRequirement(draft: FormDraft, owner: string, name: string): FormDraft {
  const schema = branchesOf(draft.schema, owner).reduce((current, { container }) => {
    const at = `${container}/required`;
    const names = textsAt(current, at);
    const isRequired =
      names.includes(name) && !Object.hasOwn(objectAt(current, `${container}/properties`), name);
    if (!isRequired) return current;
    const rest = names.filter((other) => other !== name);
    return withMember(current, at, rest.length === 0 ? undefined : rest);
  }, draft.schema);
  return { ...draft, schema };
}

/** Renames the tested field in the conditions of an object. */
export function withRenamedTests(
  draft: FormDraft,
  owner: string,
  [previous, name]: readonly [previous: string, name: string],
): FormDraft {
  const tests = branchesOf(draft.schema, owner).filter(({ condition }) => condition.field === previous);
  const schema = tests.reduce((current, { at, container, condition }) => {
    if (!container.endsWith('/then')) return withRenamedKey(current, at, name);
    const type = testedType(current, owner, { ...condition, field: name });
    return withMember(current, `${at}/if`, schemaOfCondition({ ...condition, field: name }, type));
  }, draft.schema);
  return { ...draft, schema };
}

function withRenamedKey(schema: JsonObject, at: string, name: string): JsonObject {
  const value = valueAt(schema, at);
  const parent = at.slice(0, at.lastIndexOf('/'));
  return withMember(withMember(schema, at, undefined), `${parent}/${escaped(name)}`, value);
}
