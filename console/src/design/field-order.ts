import type { JsonObject } from '../../../src/core/json-object.js';
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

/** Returns the form with the fields of an object in this order, also in `ui:order` if it is set or needed. */
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
  if (order.length === 0 && !isReordered) return { ...draft, schema };
  const next = order.includes('*') ? [...names, '*'] : names;
  return { ...draft, schema, uiSchema: withMember(draft.uiSchema, `${ui}/ui:order`, next) };
}
