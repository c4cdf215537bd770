import { valueAt } from '../../../src/json/pointer.js';
import {
  memberOf,
  ownerOf,
  requiringBranch,
  withBranch,
  withoutEmptyBranches,
  withoutRequirement,
} from './branches.js';
import type { Condition } from './condition.js';
import type { FormDraft } from './draft.js';
import { attachField, detachField, type Edited } from './field-edits.js';
import { placeOf, uiPointerOf } from './field-location.js';
import { ALL_GROUP_KEYS, shownNames, withOrder } from './field-order.js';
import { objectAt, textsAt, withMember } from './json-edit.js';

/** The conditions of a field; undefined for a field that is always shown, or never required by a condition. */
interface FieldConditions {
  readonly shownWhen: Condition | undefined;
  readonly requiredWhen: Condition | undefined;
  /** The other fields of the same object, which conditions can test. */
  readonly others: readonly string[];
}

/** Returns the conditions of a field; undefined for a schema that is not a field. */
export function conditionsOf(draft: FormDraft, pointer: string): FieldConditions | undefined {
  const location = placeOf(pointer);
  if (!location) return undefined;
  const owner = ownerOf(draft.schema, location.container);
  const member = memberOf(draft.schema, owner, location.name);
  if (member?.pointer !== pointer) return undefined;
  return {
    shownWhen: member.branch?.condition,
    requiredWhen: requiringBranch(draft.schema, owner, location.name)?.condition,
    others: shownNames(draft, owner).filter((name) => name !== location.name),
  };
}

/** Shows a field under a condition only; without a condition, always. The field keeps its position. */
export function setShownWhen(draft: FormDraft, pointer: string, condition: Condition | undefined): Edited {
  const location = placeOf(pointer);
  if (!location) return { draft, pointer };
  const { name } = location;
  const owner = ownerOf(draft.schema, location.container);
  const names = shownNames(draft, owner);
  const { draft: rest, field } = detachField(draft, pointer);
  const target = condition ? withBranch(rest, owner, condition) : { draft: rest, container: owner };
  const attached = attachField(target.draft, { container: target.container, name }, field);
  const grouped = withGroupsOf(attached, draft, owner);
  const placed = withOrder(withoutEmptyBranches(grouped, owner), owner, names);
  return { draft: placed, pointer: memberOf(placed.schema, owner, name)?.pointer ?? '' };
}

/** Sections and pages name fields, and a field keeps them when its condition changes. */
function withGroupsOf(next: FormDraft, { uiSchema }: FormDraft, owner: string): FormDraft {
  const restored = ALL_GROUP_KEYS.reduce((current, key) => {
    const at = `${uiPointerOf(owner) ?? ''}/${key}`;
    const groups = valueAt(uiSchema, at);
    return groups === undefined ? current : withMember(current, at, groups);
  }, next.uiSchema);
  return { ...next, uiSchema: restored };
}

/** Requires a field under a condition; without a condition, the field is optional. */
export function setRequiredWhen(draft: FormDraft, pointer: string, condition: Condition | undefined): Edited {
  const location = placeOf(pointer);
  if (!location) return { draft, pointer };
  const { container, name } = location;
  const owner = ownerOf(draft.schema, container);
  const optional = withoutRequirement(draft, owner, name);
  const at = `${container}/required`;
  const always = textsAt(optional.schema, at).filter((other) => other !== name);
  const schema = withMember(optional.schema, at, always.length === 0 ? undefined : always);
  const target = condition ? withBranch({ ...optional, schema }, owner, condition) : undefined;
  const required = target && requiredIn(target.draft, target.container, name);
  const next = withoutEmptyBranches(required ?? { ...optional, schema }, owner);
  return { draft: next, pointer: memberOf(next.schema, owner, name)?.pointer ?? pointer };
}

function requiredIn(draft: FormDraft, container: string, name: string): FormDraft {
  const names = new Set([...textsAt(draft.schema, `${container}/required`), name]);
  return { ...draft, schema: withMember(draft.schema, `${container}/required`, [...names]) };
}

/** Returns the values that a tested field can have, if they are known. */
export function knownValues(draft: FormDraft, pointer: string, field: string): readonly unknown[] {
  const location = placeOf(pointer);
  if (!location) return [];
  const owner = ownerOf(draft.schema, location.container);
  const schema = objectAt(draft.schema, memberOf(draft.schema, owner, field)?.pointer ?? '/none');
  const { type, enum: list, oneOf } = schema;
  if (Array.isArray(list)) return list;
  if (type === 'boolean') return [true, false];
  const constants = Array.isArray(oneOf) ? oneOf.map((one: unknown) => objectAt(one, '')['const']) : [];
  return constants.every((value) => value !== undefined) ? constants : [];
}
