import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import { valueAt } from '../../../src/json/pointer.js';
import { membersOf } from './branches.js';
import type { FormDraft } from './draft.js';
import { uiPointerOf } from './field-location.js';
import { objectAt, textsAt, withMember } from './json-edit.js';

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

/** Returns the form with the fields of an object in this order, also in `ui:order` and `ui:sections` if set or needed. */
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
  if (order.length === 0 && !isReordered) return withSortedSections({ ...draft, schema }, container);
  const next = order.includes('*') ? [...names, '*'] : names;
  const uiSchema = withMember(draft.uiSchema, `${ui}/ui:order`, next);
  return withSortedSections({ ...draft, schema, uiSchema }, container);
}

/** Sorts the fields of each section as the outline does, because a form shows them in the order of the section. */
export function withSortedSections(draft: FormDraft, container: string): FormDraft {
  const ui = uiPointerOf(container);
  const list = ui === undefined ? undefined : valueAt(draft.uiSchema, `${ui}/ui:sections`);
  if (ui === undefined || !Array.isArray(list)) return draft;
  const names = shownNames(draft, container);
  const sorted = list.map((section: unknown) => {
    if (!isJsonObject(section) || !Array.isArray(section['fields'])) return section;
    const fields = textsAt(section, '/fields');
    const known = names.filter((name) => fields.includes(name));
    return { ...section, fields: [...known, ...fields.filter((name) => !names.includes(name))] };
  });
  if (JSON.stringify(sorted) === JSON.stringify(list)) return draft;
  return { ...draft, uiSchema: withMember(draft.uiSchema, `${ui}/ui:sections`, sorted) };
}
