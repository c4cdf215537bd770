import { errorsBelow } from '../check/error-locations.js';
import { isTuple } from '../field/members.js';
import { filledLeaves, isList } from '../json/json.js';
import type { FormState } from '../state/form-state.js';
import { hasMember, nodeOf } from './children.js';
import type { Node } from './node.js';

export function withOpen(state: FormState, id: string, open: boolean): FormState {
  return state.open.get(id) === open ? state : { ...state, open: new Map(state.open).set(id, open) };
}

/** Returns the state with every row open; rows without data only if the schema is not recursive. */
export function openAll(state: FormState): FormState {
  return { ...state, unfolding: 'all', open: new Map() };
}

/** Returns the state with every container open, as in an ordinary form; entries of long lists stay closed. */
export function openAsForm(state: FormState): FormState {
  return state.unfolding === 'filled' ? { ...state, unfolding: 'form' } : state;
}

export function closeAll(state: FormState): FormState {
  return { ...state, unfolding: 'none', open: new Map() };
}

/**
 * Returns the state in which a row is visible: its ancestors are open, and a filter that hid it is cleared.
 */
export function reveal(state: FormState, id: string): FormState {
  const open = new Map(state.open);
  for (let ancestor = nodeOf(state, id)?.parent; ancestor && ancestor.level > 0; ancestor = ancestor.parent)
    open.set(ancestor.id, true);
  return { ...state, open, filter: '' };
}

/**
 * Returns the state with a filter: `is:changed`, `is:error`, `is:required`, `is:filled`, `type:<type>` and
 * words, all of which must match.
 */
export function withFilter(state: FormState, filter: string): FormState {
  return state.filter === filter ? state : { ...state, filter };
}

/** Maximum length of a list whose entries are open by default. */
export const MAX_OPEN_ENTRIES = 20;

/**
 * Maximum number of visited nodes without data: recursive schemas describe an unlimited number of locations.
 */
export const MAX_EMPTY_NODES = 200_000;

/** Returns true for a row that can be opened. */
export function isExpandable(node: Node): boolean {
  switch (node.kind) {
    case 'container':
    case 'presence':
    case 'entry':
      return hasMembers(node);
    case 'list':
    case 'leaf-list':
      return hasItems(node);
    case 'choice':
      if (!node.choice) return (node.unionNames ?? []).length > 0;
      return node.chosen !== undefined || hasMembers(node);
    default:
      return false;
  }
}

/**
 * Returns true if a row is open: because the user opened it, or by default because its content needs
 * attention.
 */
export function isOpen(state: FormState, node: Node): boolean {
  const chosen = state.open.get(node.id);
  if (chosen !== undefined) return chosen;
  if (state.unfolding === 'none') return false;
  if (node.kind === 'choice') return true;
  if (state.unfolding === 'form' && isInLongList(node)) return errorsBelow(state, node.pointer) > 0;
  if (state.unfolding === 'all' || state.unfolding === 'form')
    return node.value !== undefined || (node.kind !== 'presence' && !isLeftOut(node) && !isRecursive(node));
  return wantsAttention(state, node);
}

/**
 * Returns true for an absent value whose schema is also the schema of an ancestor: opening it would never
 * end.
 */
export function isRecursive({ field, parent, value }: Node): boolean {
  if (value !== undefined) return false;
  const schema = field.parts[0]?.schema;
  for (let ancestor = parent; ancestor && schema; ancestor = ancestor.parent)
    if (ancestor.kind !== 'choice' && ancestor.field.parts.some((part) => part.schema === schema))
      return true;
  return false;
}

function wantsAttention(state: FormState, node: Node): boolean {
  if (errorsBelow(state, node.pointer) > 0) return true;
  if (isInLongList(node)) return false;
  if (filledLeaves(node.value) > 0) return true;
  const needed = node.value !== undefined || node.required;
  return (
    needed && [...node.field.required].some((name) => !hasMember(node.value, name)) && !isRecursive(node)
  );
}

function isInLongList({ kind, parent }: Node): boolean {
  return kind === 'entry' && isList(parent?.value) && parent.value.length > MAX_OPEN_ENTRIES;
}

function isLeftOut({ field }: Node): boolean {
  return field.leftOut.length > 0;
}

function hasItems({ kind, field, value }: Node): boolean {
  return isList(value) && value.length > 0 ? true : kind === 'list' && isTuple(field.parts);
}

function hasMembers({ field, value }: Node): boolean {
  if (field.names.length > 0 || field.leftOut.length > 0) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
