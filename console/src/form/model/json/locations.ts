import { pointerTo, pointerTokens } from '../../../../../src/json/pointer.js';
import { isList, isMembers, type Json, type JsonList, type JsonMembers } from './json.js';

/** Returns the value at a pointer; undefined if there is no value. */
export function jsonAt(document: Json | undefined, pointer: string): Json | undefined {
  let value = document;
  for (const token of pointerTokens(pointer)) value = childOf(value, token);
  return value;
}

/** Returns a member or an item of a value. */
export function childOf(value: Json | undefined, token: string): Json | undefined {
  if (isList(value)) return /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isMembers(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** Returns the pointer of the parent; `''` for the root. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(pointer.lastIndexOf('/'), 0));
}

/** Returns the last token of a pointer; `''` for the root. */
export function lastToken(pointer: string): string {
  return pointerTokens(pointer).at(-1) ?? '';
}

/** Returns true if a pointer is the ancestor or a location below the ancestor. */
export function isWithin(pointer: string, ancestor: string): boolean {
  return pointer === ancestor || pointer.startsWith(`${ancestor}/`);
}

/** Returns the pointers of all ancestors of a location, the root first, and of the location itself. */
export function pointersTo(pointer: string): readonly string[] {
  let current = '';
  return ['', ...pointerTokens(pointer).map((token) => (current = pointerTo(current, token)))];
}

/** Returns an object with a member set, at its position or at the end; `undefined` removes the member. */
export function withMember(members: JsonMembers, name: string, value: Json | undefined): JsonMembers {
  if (value !== undefined) return { ...members, [name]: value };
  return Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));
}

/** Returns a list with an item set, or appended; `undefined` removes the item. */
export function withItem(list: JsonList, index: number, value: Json | undefined): JsonList {
  return value === undefined ? list.toSpliced(index, 1) : list.toSpliced(index, 1, value);
}

/** Returns the pointers of a field, one for each entry of the lists on the way, if all containers exist. */
export function pointersOf(
  container: Json | undefined,
  [name = '', ...rest]: readonly string[],
): readonly string[] {
  const exists = name === '*' || isList(container) ? isList(container) : isMembers(container);
  if (!exists) return [];
  const names = name === '*' && isList(container) ? [...container.keys()].map(String) : [name];
  if (rest.length === 0) return names.map((name) => pointerTo('', name));
  return names.flatMap((name) =>
    pointersOf(childOf(container, name), rest).map((inner) => pointerTo('', name) + inner),
  );
}
