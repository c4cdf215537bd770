import type { FormDraft } from './draft.js';
import { type Edited, putField, takeField } from './field-edits.js';
import { type FieldPlace, fieldAt, placeOf, uiPointerOf } from './field-location.js';
import { objectAt, textsAt, withMember } from './json-edit.js';
import { containerOf, shownNames } from './outline.js';

/**
 * Direction of a move: up or down among its neighbors, into the previous group or list, or out of its container.
 */
export type MoveDirection = 'up' | 'down' | 'into' | 'out';

/** A move, or the reason why it is not possible. */
export type Move = { readonly edited: Edited } | { readonly why: string };

/** Moves a field with its entries in all documents. */
export function moveField(draft: FormDraft, pointer: string, way: MoveDirection): Move {
  const place = placeOf(pointer);
  if (!place) return { why: 'Only a field can be moved.' };
  if (way === 'up' || way === 'down') return step(draft, place, way === 'up' ? -1 : 1);
  const target = way === 'into' ? containerBefore(draft, place) : containerAround(place);
  if (typeof target !== 'string') return target;
  if (Object.hasOwn(objectAt(draft.schema, `${target}/properties`), place.name))
    return { why: `There is a field "${place.name}" already.` };
  const { draft: rest, field } = takeField(draft, pointer);
  const there = { container: target, name: place.name };
  return { edited: { draft: putField(rest, there, field), pointer: fieldAt(target, place.name) } };
}

function step(draft: FormDraft, { container, name }: FieldPlace, by: 1 | -1): Move {
  const names = [...shownNames(draft, container)];
  const at = names.indexOf(name);
  const to = at + by;
  const other = names[to];
  if (other === undefined) return { why: by < 0 ? 'It is the first one.' : 'It is the last one.' };
  names[to] = name;
  names[at] = other;
  return { edited: { draft: inOrder(draft, container, names), pointer: fieldAt(container, name) } };
}

/** Sorts the members of an object, in the schema, and in `ui:order` if that decides the order. */
function inOrder(draft: FormDraft, container: string, names: readonly string[]): FormDraft {
  const members = objectAt(draft.schema, `${container}/properties`);
  const sorted = Object.fromEntries(names.map((name) => [name, members[name]]));
  const schema = withMember(draft.schema, `${container}/properties`, sorted);
  const ui = uiPointerOf(container);
  if (ui === undefined) return { ...draft, schema };
  const order = textsAt(draft.uiSchema, `${ui}/ui:order`);
  // JavaScript puts members with numeric names first in every object.
  const isLost = Object.keys(sorted).some((name, at) => name !== names[at]);
  if (order.length === 0 && !isLost) return { ...draft, schema };
  const next = order.includes('*') ? [...names, '*'] : names;
  return { ...draft, schema, uiSchema: withMember(draft.uiSchema, `${ui}/ui:order`, next) };
}

function containerBefore(draft: FormDraft, { container, name }: FieldPlace): string | { why: string } {
  const names = shownNames(draft, container);
  const before = names.slice(0, names.indexOf(name)).reverse();
  for (const one of before) {
    const pointer = fieldAt(container, one);
    const inner = containerOf(objectAt(draft.schema, pointer), pointer);
    if (inner !== undefined) return inner;
  }
  return { why: 'There is no group or list before it.' };
}

function containerAround({ container }: FieldPlace): string | { why: string } {
  const around = placeOf(container.replace(/\/items$/, ''));
  return around ? around.container : { why: 'It is in no group.' };
}
