import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import { pointerTokens, valueAt } from '../../../src/json/pointer.js';

/**
 * Returns a copy with another value at a pointer (RFC 6901); `undefined` removes the member. Missing objects
 * on the way are created.
 */
export function withValueAt(document: unknown, pointer: string, value: unknown): unknown {
  return replaced(document, pointerTokens(pointer), value);
}

function replaced(document: unknown, [token, ...rest]: readonly string[], value: unknown): unknown {
  if (token === undefined) return value;
  if (Array.isArray(document)) {
    const items: readonly unknown[] = document;
    const at = Number(token);
    if (rest.length === 0 && value === undefined) return items.toSpliced(at, 1);
    return items.with(at, replaced(items[at], rest, value));
  }
  const object = isJsonObject(document) ? document : {};
  const next = replaced(Object.hasOwn(object, token) ? object[token] : undefined, rest, value);
  const others = Object.entries(object).filter(([name]) => name !== token);
  if (next === undefined) return Object.fromEntries(others);
  // An existing member keeps its position; a new member is added last.
  if (!Object.hasOwn(object, token)) return Object.fromEntries([...others, [token, next]]);
  return Object.fromEntries(Object.entries(object).map(([name, old]) => [name, name === token ? next : old]));
}

/** Same as {@link withValueAt}, for a document that stays an object. */
export function withMember(document: JsonObject, pointer: string, value: unknown): JsonObject {
  const next = withValueAt(document, pointer, value);
  return isJsonObject(next) ? next : {};
}

export function objectAt(document: unknown, pointer: string): JsonObject {
  const found = valueAt(document, pointer);
  return isJsonObject(found) ? found : {};
}

export function textsAt(document: unknown, pointer: string): readonly string[] {
  const found = valueAt(document, pointer);
  return Array.isArray(found) ? found.filter((item): item is string => typeof item === 'string') : [];
}

/** Returns a value if it is a text. */
export function textOr(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

/** Returns a copy with other texts in the list at a pointer; the same document if the texts do not change. */
export function withTexts(
  document: JsonObject,
  pointer: string,
  change: (texts: readonly string[]) => readonly string[],
): JsonObject {
  const texts = textsAt(document, pointer);
  const next = change(texts);
  const isSame = next.length === texts.length && next.every((text, at) => text === texts[at]);
  return isSame ? document : withMember(document, pointer, next);
}

/** Removes objects that have become empty, from a pointer upwards; the document itself stays. */
export function withoutEmpty(document: JsonObject, pointer: string): JsonObject {
  let next = document;
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const value = valueAt(next, at);
    if (!isJsonObject(value) || Object.keys(value).length > 0) return next;
    next = withMember(next, at, undefined);
  }
  return next;
}
