import { pointerTo, pointerTokens } from '../../../../../src/core/pointer.js';
import { isList, isMembers, type Json, type JsonList, type JsonMembers } from './json.js';

/** The value at a pointer; undefined when there is none. */
export function jsonAt(document: Json | undefined, pointer: string): Json | undefined {
  let value = document;
  for (const token of pointerTokens(pointer)) value = childOf(value, token);
  return value;
}

/** A member or an item of a value. */
export function childOf(value: Json | undefined, token: string): Json | undefined {
  if (isList(value)) return /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isMembers(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** Pointer of the value around another; `''` for the top. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(pointer.lastIndexOf('/'), 0));
}

/** The last token of a pointer; `''` for the top. */
export function lastToken(pointer: string): string {
  return pointerTokens(pointer).at(-1) ?? '';
}

/** True for a pointer to the place itself or below it. */
export function isWithin(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`);
}

/** The pointers of everything around a place, the top first, and the place itself. */
export function pointersTo(pointer: string): readonly string[] {
  let at = '';
  return ['', ...pointerTokens(pointer).map((token) => (at = pointerTo(at, token)))];
}

/** An object with a member set, at its place or at the end; without it for `undefined`. */
export function withMember(members: JsonMembers, name: string, value: Json | undefined): JsonMembers {
  if (value !== undefined) return { ...members, [name]: value };
  return Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));
}

/** A list with an item set, or added behind the last; without it for `undefined`. */
export function withItem(list: JsonList, index: number, value: Json | undefined): JsonList {
  return value === undefined ? list.toSpliced(index, 1) : list.toSpliced(index, 1, value);
}
