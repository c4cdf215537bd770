import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import { pointerTo, valueAt } from '../../../src/json/pointer.js';
import { type Condition, conditionOfSchema, schemaOfCondition } from './condition.js';
import type { FormDraft } from './draft.js';
import { fieldAt } from './field-location.js';
import { objectAt, textsAt, withMember } from './json-edit.js';

/** A part of an object's schema that applies under a condition that the designer can edit. */
interface Branch {
  /** Pointer of the schema with the condition. */
  readonly at: string;
  /** Pointer of the schema that applies: the container of its fields. */
  readonly container: string;
  readonly condition: Condition;
}

/** Returns the branches of an object: `if` with `then`, in the object or its `allOf`, and `dependentSchemas`. */
export function branchesOf(schema: JsonObject, container: string): readonly Branch[] {
  const all = valueAt(schema, `${container}/allOf`);
  const places = [
    container,
    ...(Array.isArray(all) ? all.map((_, index) => pointerTo(`${container}/allOf`, index)) : []),
  ];
  const dependent = Object.keys(objectAt(schema, `${container}/dependentSchemas`));
  return [
    ...places.flatMap((at) => conditionalBranch(schema, at, container) ?? []),
    ...dependent
      .map((name) => ({ name, at: pointerTo(`${container}/dependentSchemas`, name) }))
      .filter(({ at }) => hasOnlyFields(valueAt(schema, at)))
      .map(({ name, at }): Branch => ({
        at,
        container: at,
        condition: { field: name, operator: 'isFilled' },
      })),
  ];
}

function conditionalBranch(schema: JsonObject, at: string, owner: string): Branch | undefined {
  const part = objectAt(schema, at);
  const condition = conditionOfSchema(part['if']);
  const isAlone = at === owner || Object.keys(part).every((keyword) => /^(?:if|then)$/.test(keyword));
  if (!condition || !isAlone || part['else'] !== undefined || !hasOnlyFields(part['then'])) return undefined;
  return { at, container: `${at}/then`, condition };
}

function hasOnlyFields(schema: unknown): boolean {
  return (
    isJsonObject(schema) && Object.keys(schema).every((keyword) => /^(?:properties|required)$/.test(keyword))
  );
}

/** A field of an object, with the branch that describes it. */
interface Member {
  readonly name: string;
  readonly pointer: string;
  /** Undefined for a field that is always shown. */
  readonly branch: Branch | undefined;
}

/** Returns the fields of an object in the order of the schema: first those without a condition. */
export function membersOf(schema: JsonObject, container: string): readonly Member[] {
  const named = (at: string, branch?: Branch): readonly Member[] =>
    Object.keys(objectAt(schema, `${at}/properties`)).map((name) => ({
      name,
      pointer: fieldAt(at, name),
      branch,
    }));
  const found = new Map<string, Member>();
  const members = [
    ...named(container),
    ...branchesOf(schema, container).flatMap((branch) => named(branch.container, branch)),
  ];
  // A field of several branches is edited where it is described first.
  for (const member of members) if (!found.has(member.name)) found.set(member.name, member);
  return [...found.values()];
}

/** Returns the object that a container belongs to: the container itself, or the object with its condition. */
export function ownerOf(schema: JsonObject, container: string): string {
  const outer = /^(.*?)(?:\/allOf\/\d+)?\/then$/.exec(container)?.[1];
  const owner = outer ?? /^(.*)\/dependentSchemas\/[^/]*$/.exec(container)?.[1];
  if (owner === undefined) return container;
  return branchesOf(schema, owner).some((branch) => branch.container === container) ? owner : container;
}

/** Returns the field of an object with this name. */
export function memberOf(schema: JsonObject, container: string, name: string): Member | undefined {
  return membersOf(schema, container).find((member) => member.name === name);
}

/** Returns the branch that makes a field required, other than the branch that describes it. */
export function requiringBranch(schema: JsonObject, container: string, name: string): Branch | undefined {
  return branchesOf(schema, container).find(
    (branch) =>
      textsAt(schema, `${branch.container}/required`).includes(name) &&
      !Object.hasOwn(objectAt(schema, `${branch.container}/properties`), name),
  );
}

function testedType(schema: JsonObject, owner: string, { field }: Condition): unknown {
  const containers = [owner, ...branchesOf(schema, owner).map(({ container }) => container)];
  return containers
    .map((container) => objectAt(objectAt(schema, `${container}/properties`), pointerTo('', field))['type'])
    .find((type) => type !== undefined);
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
  return withMember(withMember(schema, at, undefined), pointerTo(parent, name), value);
}
