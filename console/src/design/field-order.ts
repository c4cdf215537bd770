import type { JsonObject } from '../../../src/json/json-object.js';
import { valueAt } from '../../../src/json/pointer.js';
import { membersOf } from './branches.js';
import type { FormDraft } from './draft.js';
import { uiPointerOf } from './field-location.js';
import { objectAt, textsAt, withMember, withTexts } from './json-edit.js';

/**
 * Returns the names of an object's fields, those with a condition included, in the order of `ui:order`, in
 * which `*` means all other names.
 */
export function shownNames(
  { schema, uiSchema }: { readonly schema: JsonObject; readonly uiSchema: JsonObject },
  container: string,
): readonly string[] {
  const names = membersOf(schema, container).map(({ name }) => name);
  const ui = uiPointerOf(container);
  const order = ui === undefined ? [] : textsAt(uiSchema, `${ui}/ui:order`);
  if (order.length === 0) return names;
  const known = order.filter((name) => name === '*' || names.includes(name));
  const others = names.filter((name) => !known.includes(name));
  const starIndex = known.indexOf('*');
  if (starIndex < 0) return [...known, ...others];
  return [...known.slice(0, starIndex), ...others, ...known.slice(starIndex + 1)].filter(
    (name) => name !== '*',
  );
}

/** Returns the form with the fields of an object in this order, also in `ui:order`, sections and pages if set or needed. */
export function withOrder(draft: FormDraft, container: string, names: readonly string[]): FormDraft {
  const members = objectAt(draft.schema, `${container}/properties`);
  const direct = names.filter((name) => Object.hasOwn(members, name));
  const sorted = Object.fromEntries(direct.map((name) => [name, members[name]]));
  const schema = withMember(draft.schema, `${container}/properties`, sorted);
  const ui = uiPointerOf(container);
  if (ui === undefined) return { ...draft, schema };
  const order = textsAt(draft.uiSchema, `${ui}/ui:order`);
  // The schema cannot express every order: fields with a condition come last in it, and JavaScript puts
  // members with numeric names first in every object.
  const isReordered = membersOf(schema, container).some(({ name }, at) => name !== names[at]);
  if (order.length === 0 && !isReordered) return withSortedGroups({ ...draft, schema }, container);
  const next = order.includes('*') ? [...names, '*'] : names;
  const uiSchema = withMember(draft.uiSchema, `${ui}/ui:order`, next);
  return withSortedGroups({ ...draft, schema, uiSchema }, container);
}

/** Kinds of titled lists of an object's fields. */
export type GroupKind = 'sections' | 'pages';

/** Where the uiSchema of an object has such lists, in the order in which a form looks for them. */
export const GROUP_KEYS: Readonly<Record<GroupKind, readonly string[]>> = {
  sections: ['ui:sections', 'ui:options/sections', 'ui:groups', 'ui:options/groups'],
  pages: ['ui:pages', 'ui:options/pages'],
};

/** All of these keys. */
export const ALL_GROUP_KEYS: readonly string[] = Object.values(GROUP_KEYS).flat();

/** Returns the pointers of the names of fields in each section and page of an object, in its part of the uiSchema. */
export function groupNameLists(ui: unknown): readonly string[] {
  return ALL_GROUP_KEYS.flatMap((key) => {
    const groups = valueAt(ui, `/${key}`);
    return Array.isArray(groups) ? groups.map((_, at) => `/${key}/${at}/fields`) : [];
  });
}

/** Applies a function to the names of the fields in each section and page of an object. */
export function withGroupNames(
  uiSchema: JsonObject,
  ui: string,
  change: (names: readonly string[]) => readonly string[],
): JsonObject {
  const lists = groupNameLists(valueAt(uiSchema, ui));
  return lists.reduce((document, at) => withTexts(document, ui + at, change), uiSchema);
}

/** Sorts the fields of each section and page as the outline does, because a form shows them in this order. */
export function withSortedGroups(draft: FormDraft, container: string): FormDraft {
  const ui = uiPointerOf(container);
  if (ui === undefined) return draft;
  const names = shownNames(draft, container);
  const uiSchema = withGroupNames(draft.uiSchema, ui, (fields) => [
    ...names.filter((name) => fields.includes(name)),
    ...fields.filter((name) => !names.includes(name)),
  ]);
  return uiSchema === draft.uiSchema ? draft : { ...draft, uiSchema };
}
