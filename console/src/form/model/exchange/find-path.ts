import { pointerTo } from '../../../../../src/json/pointer.js';
import { labelOf } from '../field/options.js';
import { isList, isMembers, type Json, type JsonMembers } from '../json/json.js';
import { nodeAt } from '../rows/find-node.js';
import type { Node } from '../rows/node.js';
import { addEntry } from '../state/edit-lists.js';
import type { FormState } from '../state/form-state.js';
import { fieldValue } from '../state/value-from-text.js';

/** The location that a path leads to; the state includes list entries that were created on the way. */
interface FoundPath {
  readonly state: FormState;
  readonly pointer: string;
}

const STEP = /(?:[^/[\]'"]+|\[(?:[^\]'"]|'[^']*'|"[^"]*")*\]|'[^']*'|"[^"]*")+/g;

/**
 * Finds the location for a path such as `interface[name=eth0]/mtu`, `interface=eth0/mtu` or
 * `interface/0/mtu`; prefixes may be left out. Undefined if there is no such location.
 */
export function findPath(state: FormState, from: string, path: string): FoundPath | undefined {
  let found: FoundPath | undefined = { state, pointer: path.startsWith('/') ? '' : from };
  for (const step of path.match(STEP) ?? []) found = found && followStep(found, step);
  return found;
}

function followStep({ state, pointer }: FoundPath, step: string): FoundPath | undefined {
  const node = nodeAt(state, pointer);
  if (!node) return undefined;
  if (isList(node.value) || node.kind === 'list')
    return /^\d+$/.test(step)
      ? { state, pointer: pointerTo(pointer, step) }
      : findOrCreateEntry(state, node, step);
  const [, source = '', keys = ''] = /^([^[=]+)(.*)$/.exec(step) ?? [];
  const name = memberNameOf(node, decoded(source));
  if (name === undefined) return undefined;
  const member = pointerTo(pointer, name);
  if (keys === '') return { state, pointer: member };
  const list = nodeAt(state, member);
  return list && findOrCreateEntry(state, list, keys);
}

/** Returns the member for a name with or without module prefix. */
function memberNameOf({ field, value }: Node, source: string): string | undefined {
  const names = [...field.names, ...(isMembers(value) ? Object.keys(value) : [])];
  if (names.includes(source)) return source;
  const local = names.find((name) => name.replace(/^[^:]*:/, '') === source.replace(/^[^:]*:/, ''));
  return local ?? (field.describes(source) ? source : undefined);
}

/** Returns the entry with the given keys; creates it if it does not exist. */
function findOrCreateEntry(state: FormState, list: Node, source: string): FoundPath | undefined {
  const keys = keysFrom(list, source);
  if (!keys) return undefined;
  const items = isList(list.value) ? list.value : [];
  const index = items.findIndex((item) => isMembers(item) && hasKeys(item, keys));
  if (index !== -1) return { state, pointer: pointerTo(list.pointer, index) };
  const item = list.field.item(items.length);
  const entry = Object.fromEntries(
    Object.entries(keys).map(([name, text]) => [name, fieldValue(item.member(name), text) ?? text]),
  );
  return {
    state: addEntry(state, list.pointer, { value: entry }),
    pointer: pointerTo(list.pointer, items.length),
  };
}

function hasKeys(item: JsonMembers, keys: Readonly<Record<string, string>>): boolean {
  return Object.entries(keys).every(
    ([name, text]) => Object.hasOwn(item, name) && labelOf(item[name] as Json) === text,
  );
}

/** Parses keys: `[name=eth0][unit='0']`, or the values in the order of the keys: `=eth0,0`. */
function keysFrom({ field }: Node, source: string): Readonly<Record<string, string>> | undefined {
  if (source.startsWith('[')) {
    const pairs = [...source.matchAll(/\[\s*([^=\s]+)\s*=\s*('[^']*'|"[^"]*"|[^\]]*?)\s*\]/g)];
    return pairs.length === 0
      ? undefined
      : Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, unquoted(value)]));
  }
  const values = source.replace(/^=/, '').split(',').map(decoded);
  return values.length === field.keys.length && values.length > 0
    ? Object.fromEntries(field.keys.map((key, at) => [key, values[at] ?? '']))
    : undefined;
}

function unquoted(text: string): string {
  return /^(['"]).*\1$/.test(text) ? text.slice(1, -1) : text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
