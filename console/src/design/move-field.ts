import type { FormDraft } from './draft.js';
import { type Edited, attachField, detachField } from './field-edits.js';
import { type FieldLocation, fieldAt, placeOf, uiPointerOf } from './field-location.js';
import { objectAt, textsAt, withMember } from './json-edit.js';
import { containerOf, shownNames } from './outline.js';

/**
 * Direction of a move: up or down in the container, into the previous group or list, or out of the container.
 */
export type MoveDirection = 'up' | 'down' | 'into' | 'out';

/** A move, or the reason why it is not possible. */
export type Move = { readonly edited: Edited } | { readonly why: string };

/** Moves a field with its entries in all documents. */
export function moveField(draft: FormDraft, pointer: string, direction: MoveDirection): Move {
  const location = placeOf(pointer);
  if (!location) return { why: 'Select a field to move.' };
  if (direction === 'up' || direction === 'down')
    return moveStep(draft, location, direction === 'up' ? -1 : 1);
  const target = direction === 'into' ? containerBefore(draft, location) : containerAround(location);
  if (typeof target !== 'string') return target;
  if (Object.hasOwn(objectAt(draft.schema, `${target}/properties`), location.name))
    return { why: `A field "${location.name}" already exists there.` };
  const { draft: rest, field } = detachField(draft, pointer);
  const moved = attachField(rest, { container: target, name: location.name }, field);
  return { edited: { draft: moved, pointer: fieldAt(target, location.name) } };
}

function moveStep(draft: FormDraft, { container, name }: FieldLocation, by: 1 | -1): Move {
  const names = [...shownNames(draft, container)];
  const at = names.indexOf(name);
  const to = at + by;
  const other = names[to];
  if (other === undefined)
    return { why: by < 0 ? 'The field is already first.' : 'The field is already last.' };
  names[to] = name;
  names[at] = other;
  return { edited: { draft: withOrder(draft, container, names), pointer: fieldAt(container, name) } };
}

/**
 * Returns the form with the members of an object in this order, also in `ui:order` if it is set or needed.
 */
function withOrder(draft: FormDraft, container: string, names: readonly string[]): FormDraft {
  const members = objectAt(draft.schema, `${container}/properties`);
  const sorted = Object.fromEntries(names.map((name) => [name, members[name]]));
  const schema = withMember(draft.schema, `${container}/properties`, sorted);
  const ui = uiPointerOf(container);
  if (ui === undefined) return { ...draft, schema };
  const order = textsAt(draft.uiSchema, `${ui}/ui:order`);
  // JavaScript puts members with numeric names first in every object.
  const isReordered = Object.keys(sorted).some((name, at) => name !== names[at]);
  if (order.length === 0 && !isReordered) return { ...draft, schema };
  const next = order.includes('*') ? [...names, '*'] : names;
  return { ...draft, schema, uiSchema: withMember(draft.uiSchema, `${ui}/ui:order`, next) };
}

function containerBefore(draft: FormDraft, { container, name }: FieldLocation): string | { why: string } {
  const names = shownNames(draft, container);
  const before = names.slice(0, names.indexOf(name)).reverse();
  for (const sibling of before) {
    const pointer = fieldAt(container, sibling);
    const inner = containerOf(objectAt(draft.schema, pointer), pointer);
    if (inner !== undefined) return inner;
  }
  return { why: 'There is no group or list before the field.' };
}

function containerAround({ container }: FieldLocation): string | { why: string } {
  const outer = placeOf(container.replace(/\/items$/, ''));
  return outer ? outer.container : { why: 'The field is not in a group.' };
}
