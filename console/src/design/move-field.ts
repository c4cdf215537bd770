import { memberOf, ownerOf, withoutEmptyBranches, withoutRequirement } from './branches.js';
import { text } from './designer-text.js';
import type { FormDraft } from './draft.js';
import { attachField, detachField, type Edited, withMovedValue } from './field-edits.js';
import { fieldAt, type FieldLocation, placeOf } from './field-location.js';
import { shownNames, withOrder } from './field-order.js';
import { objectAt } from './json-edit.js';
import { containerOf } from './outline.js';

/**
 * Direction of a move: up or down in the container, into the previous group or list, or out of the container.
 */
export type MoveDirection = 'up' | 'down' | 'into' | 'out';

/** A move, or the reason why it is not possible. */
type Move = { readonly edited: Edited } | { readonly why: string };

/** Moves a field with its entries in all documents. */
export function moveField(draft: FormDraft, pointer: string, direction: MoveDirection): Move {
  const stored = placeOf(pointer);
  if (!stored) return { why: text('moveNothing') };
  const location = { container: ownerOf(draft.schema, stored.container), name: stored.name };
  if (direction === 'up' || direction === 'down')
    return moveStep(draft, location, direction === 'up' ? -1 : 1);
  const target = direction === 'into' ? containerBefore(draft, location) : containerAround(draft, location);
  return typeof target === 'string' ? placeField(draft, pointer, { container: target }) : target;
}

export interface Destination {
  readonly container: string;
  /** The field that it is put before; the field becomes the last one if undefined. */
  readonly before?: string | undefined;
}

/**
 * Moves a field to a position. A field that leaves its group is always shown there, because its condition
 * tests a field of the group.
 */
export function placeField(draft: FormDraft, pointer: string, { container, before }: Destination): Move {
  const stored = placeOf(pointer);
  if (!stored) return { why: text('moveNothing') };
  const { name } = stored;
  const owner = ownerOf(draft.schema, stored.container);
  if (container === pointer || container.startsWith(`${pointer}/`)) return { why: text('moveIntoItself') };
  if (container === owner) return placeAmongSiblings(draft, { container, name }, before);
  if (memberOf(draft.schema, container, name)) return { why: text('moveTaken', { name }) };
  const { draft: detached, field } = detachField(draft, pointer);
  const attached = attachField(detached, { container, name }, field);
  const ordered = withOrder(attached, container, namesWith(shownNames(attached, container), name, before));
  const moved = withoutEmptyBranches(withoutRequirement(ordered, owner, name), owner);
  const next = fieldAt(container, name);
  return { edited: { draft: withMovedValue(moved, pointer, next), pointer: next } };
}

function placeAmongSiblings(
  draft: FormDraft,
  { container, name }: FieldLocation,
  before: string | undefined,
): Move {
  const names = shownNames(draft, container);
  if (before === name) return { why: text('moveSame') };
  const ordered = namesWith(names, name, before);
  if (ordered.every((other, at) => other === names[at])) return { why: text('moveSame') };
  return orderedMove(draft, { container, name }, ordered);
}

function orderedMove(draft: FormDraft, { container, name }: FieldLocation, names: readonly string[]): Move {
  const next = withOrder(draft, container, names);
  const pointer = memberOf(next.schema, container, name)?.pointer ?? fieldAt(container, name);
  return { edited: { draft: next, pointer } };
}

function namesWith(names: readonly string[], name: string, before: string | undefined): readonly string[] {
  const others = names.filter((other) => other !== name);
  const at = before === undefined ? others.length : others.indexOf(before);
  return others.toSpliced(at < 0 ? others.length : at, 0, name);
}

function moveStep(draft: FormDraft, { container, name }: FieldLocation, by: 1 | -1): Move {
  const names = [...shownNames(draft, container)];
  const at = names.indexOf(name);
  const to = at + by;
  const other = names[to];
  if (other === undefined) return { why: text(by < 0 ? 'moveFirst' : 'moveLast') };
  names[to] = name;
  names[at] = other;
  return orderedMove(draft, { container, name }, names);
}

function containerBefore(draft: FormDraft, { container, name }: FieldLocation): string | { why: string } {
  const names = shownNames(draft, container);
  const before = names.slice(0, names.indexOf(name)).reverse();
  for (const sibling of before) {
    const pointer = memberOf(draft.schema, container, sibling)?.pointer ?? fieldAt(container, sibling);
    const inner = containerOf(objectAt(draft.schema, pointer), pointer);
    if (inner !== undefined) return inner;
  }
  return { why: text('moveNoGroup') };
}

function containerAround({ schema }: FormDraft, { container }: FieldLocation): string | { why: string } {
  const outer = placeOf(container.replace(/\/items$/, ''));
  return outer ? ownerOf(schema, outer.container) : { why: text('moveNotInGroup') };
}
