import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import { pointerTo, valueAt } from '../../../src/json/pointer.js';
import { type Condition, conditionOfSchema } from './condition.js';
import { fieldAt } from './field-location.js';
import { objectAt, textsAt } from './json-edit.js';

/** A part of an object's schema that applies under a condition that the designer can edit. */
export interface Branch {
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
