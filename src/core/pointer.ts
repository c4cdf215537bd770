/** Appends one reference token to a JSON pointer (RFC 6901), escaping `~` and `/`. */
export function pointerTo(parent: string, token: string | number): string {
  return `${parent}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Returns the unescaped reference tokens of a JSON pointer; an empty list for the document itself. */
export function pointerTokens(pointer: string): readonly string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the value at a JSON pointer, following only own properties; `undefined` if there is no value. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of pointerTokens(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}

/** A string in a document, with its location. */
export interface LocatedString {
  readonly pointer: string;
  readonly text: string;
}

/** Returns all string values of a document of plain JSON values, in document order. Omits member names. */
export function stringsOf(value: unknown, pointer = ''): readonly LocatedString[] {
  if (typeof value === 'string') return [{ pointer, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => stringsOf(member, pointerTo(pointer, key)));
}

/** Returns a copy of a document of plain JSON values with other values at these pointers. */
export function withValues(value: unknown, changes: ReadonlyMap<string, unknown>, pointer = ''): unknown {
  if (changes.has(pointer)) return changes.get(pointer);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, at) => withValues(item, changes, pointerTo(pointer, at)));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withValues(member, changes, pointerTo(pointer, key))]),
  );
}
