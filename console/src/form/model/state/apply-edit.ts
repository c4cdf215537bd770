import { pointerTo } from '../../../../../src/json/pointer.js';
import { isList, isMembers, type Json, type JsonList, sameJson } from '../json/json.js';
import { nodeAt } from '../rows/children.js';
import type { Node } from '../rows/node.js';
import type { Edit } from '../types.js';
import { choose } from './choose.js';
import type { Content, FormState } from './form-state.js';
import { committed } from './history.js';
import { startingValue } from './values.js';
import { documentWith } from './write.js';

/**
 * Returns the state after an edit; the same state if the edit changes nothing or its location is invalid. A
 * read-only form never changes.
 */
export function applyEdit(state: FormState, edit: Edit): FormState {
  return state.form.options.readOnly === true ? state : withEdit(state, edit);
}

function withEdit(state: FormState, edit: Edit): FormState {
  switch (edit.kind) {
    case 'set':
      return withValue(state, edit.pointer, { value: edit.value, editName: `set ${edit.pointer}` });
    case 'clear':
    case 'remove':
      return withoutValue(state, edit.pointer);
    case 'presence':
      return edit.present ? withCreated(state, edit.pointer) : withoutValue(state, edit.pointer);
    case 'add':
      return addEntry(state, edit.pointer, edit);
    case 'duplicate':
      return duplicateEntry(state, edit.pointer);
    case 'move':
      return moveEntry(state, edit.pointer, edit.to);
    case 'member':
      return withCreated(state, pointerTo(edit.pointer, edit.name));
    case 'choose':
      return choose(state, edit.id, edit.alternative);
    case 'revert':
      return withReverted(state, edit.pointer);
  }
}

/** Returns the state with another value at a location; `undefined` removes the value. */
export function withValue(
  state: FormState,
  pointer: string,
  { value, editName = '' }: { readonly value: Json | undefined; readonly editName?: string },
): FormState {
  const node = nodeAt(state, pointer);
  if (!node || sameJson(node.value, value)) return state;
  const data = documentWith(node, value);
  return committed(state, { content: { data }, pointer, editName });
}

function withoutValue(state: FormState, pointer: string): FormState {
  const node = nodeAt(state, pointer);
  if (node?.value === undefined) return state;
  return node.parent && isList(node.parent.value)
    ? removeEntry(state, node)
    : withValue(state, pointer, { value: undefined });
}

/** Returns the state with a new container, or a new member with any name, if it does not exist yet. */
function withCreated(state: FormState, pointer: string): FormState {
  const node = nodeAt(state, pointer);
  if (!node || node.value !== undefined) return state;
  const created = withValue(state, pointer, { value: startingValue(node.field) });
  return { ...created, open: new Map(created.open).set(pointer, true) };
}

function withReverted(state: FormState, pointer: string): FormState {
  if (pointer === '') return state.data === state.loaded ? state : withDocumentReverted(state);
  const node = nodeAt(state, pointer);
  if (!node) return state;
  return node.loaded === undefined
    ? withoutValue(state, pointer)
    : withValue(state, pointer, { value: node.loaded });
}

function withDocumentReverted(state: FormState): FormState {
  const content = {
    data: state.loaded,
    chosen: new Map(),
    stashed: new Map(),
    hidden: new Map(),
    errors: [],
  };
  return committed(state, { content, pointer: '', editName: '' });
}

/** Returns true if the current document equals the loaded document. */
export function isUnchanged({ data, loaded }: FormState): boolean {
  return data === loaded || (isMembers(data) && sameJson(data, loaded));
}

/** Adds an entry to a list; at the end by default. */
export function addEntry(
  state: FormState,
  pointer: string,
  { value, at }: { value?: Json; at?: number },
): FormState {
  const node = listAt(state, pointer);
  if (!node) return state;
  const list = itemsOf(node);
  const index = Math.min(Math.max(at ?? list.length, 0), list.length);
  const entry = value ?? startingValue(node.field.item(index));
  const added = withList(state, node, {
    list: list.toSpliced(index, 0, entry),
    newIndex: (old) => (old < index ? old : old + 1),
  });
  return { ...added, open: new Map(added.open).set(pointer, true).set(`${pointer}/${index}`, true) };
}

/** Inserts a copy of an entry after the entry. The copy has no keys, because keys must be unique. */
function duplicateEntry(state: FormState, pointer: string): FormState {
  const node = nodeAt(state, pointer);
  if (!node?.parent || node.value === undefined || !isList(node.parent.value)) return state;
  const keys = new Set(node.parent.field.keys);
  const copy =
    node.kind === 'entry'
      ? Object.fromEntries(Object.entries(node.value as object).filter(([name]) => !keys.has(name)))
      : node.value;
  return addEntry(state, node.parent.pointer, { value: copy, at: Number(node.key) + 1 });
}

/** Moves an entry to another position in its list. */
function moveEntry(state: FormState, pointer: string, to: number): FormState {
  const node = nodeAt(state, pointer);
  const list = node?.parent && listAt(state, node.parent.pointer);
  if (!list || node.value === undefined) return state;
  const items = itemsOf(list);
  const from = Number(node.key);
  const target = Math.min(Math.max(to, 0), items.length - 1);
  if (target === from) return state;
  const moved = items.toSpliced(from, 1).toSpliced(target, 0, node.value);
  return withList(state, list, { list: moved, newIndex: (old) => movedIndex(old, from, target) });
}

function movedIndex(old: number, from: number, to: number): number {
  if (old === from) return to;
  const afterRemoval = old > from ? old - 1 : old;
  return afterRemoval >= to ? afterRemoval + 1 : afterRemoval;
}

function removeEntry(state: FormState, node: Node): FormState {
  const index = Number(node.key);
  const { parent } = node;
  if (!parent || !isList(parent.value) || index >= parent.value.length) return state;
  const renamed = renamedEntries(state, parent.pointer, (old) =>
    old === index ? undefined : old > index ? old - 1 : old,
  );
  return committed(state, {
    content: { ...renamed, data: documentWith(node, undefined) },
    pointer: `${parent.pointer}/-`,
    editName: '',
  });
}

interface NewList {
  readonly list: JsonList;
  readonly newIndex: NewIndex;
}

function withList(state: FormState, node: Node, { list, newIndex }: NewList): FormState {
  const renamed = renamedEntries(state, node.pointer, newIndex);
  const data = documentWith(node, list);
  return committed(state, { content: { ...renamed, data }, pointer: `${node.pointer}/-`, editName: '' });
}

function listAt(state: FormState, pointer: string): Node | undefined {
  const node = nodeAt(state, pointer);
  return node && (node.kind === 'list' || node.kind === 'leaf-list' || isList(node.value)) ? node : undefined;
}

function itemsOf({ value }: Node): JsonList {
  return isList(value) ? value : [];
}

/** Returns the current index of a list entry; undefined for a removed entry. */
type NewIndex = (index: number) => number | undefined;

/** Returns the state of all rows, with new ids for the rows below the entries of a list. */
function renamedEntries(content: Content, list: string, newIndex: NewIndex): Partial<Content> {
  const rename = (id: string) => renamedId(id, list, newIndex);
  return {
    open: renamedKeys(content.open, rename),
    chosen: renamedKeys(content.chosen, rename),
    stashed: renamedKeys(content.stashed, rename),
    hidden: renamedKeys(content.hidden, rename),
    errors: content.errors.flatMap((error) => {
      const pointer = rename(error.pointer);
      return pointer === undefined ? [] : [pointer === error.pointer ? error : { ...error, pointer }];
    }),
  };
}

function renamedId(id: string, list: string, newIndex: NewIndex): string | undefined {
  if (!id.startsWith(`${list}/`)) return id;
  const [index = '', ...rest] = id.slice(list.length + 1).split('/');
  if (!/^\d+$/.test(index)) return id;
  const now = newIndex(Number(index));
  return now === undefined ? undefined : [list, now, ...rest].join('/');
}

function renamedKeys<T>(
  map: ReadonlyMap<string, T>,
  rename: (id: string) => string | undefined,
): ReadonlyMap<string, T> {
  const entries = [...map].flatMap(([id, value]) => {
    const now = rename(id);
    return now === undefined ? [] : [[now, value] as const];
  });
  return new Map(entries);
}
