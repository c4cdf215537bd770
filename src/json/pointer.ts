/** Appends one reference token to a JSON pointer (RFC 6901), escaping `~` and `/`. */
export function pointerTo(parent: string, token: string | number): string {
  const text = String(token);
  if (!text.includes('~') && !text.includes('/')) return `${parent}/${text}`;
  return `${parent}/${text.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Returns the unescaped reference tokens of a JSON pointer; an empty list for the document itself. */
export function pointerTokens(pointer: string): readonly string[] {
  if (pointer === '') return [];
  const tokens = pointer.slice(1).split('/');
  if (!pointer.includes('~')) return tokens;
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
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
export function stringsOf(value: unknown): readonly LocatedString[] {
  const found: LocatedString[] = [];
  addStrings(found, value, '');
  return found;
}

function addStrings(found: LocatedString[], value: unknown, pointer: string): void {
  if (typeof value === 'string') found.push({ pointer, text: value });
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) addStrings(found, member, pointerTo(pointer, key));
}

/**
 * Returns a document of plain JSON values with other values at these pointers, which must not contain each other. It shares
 * what is unchanged with the document. Ignores pointers without a value.
 */
export function withValues(value: unknown, changes: ReadonlyMap<string, unknown>): unknown {
  let changed = value;
  for (const [pointer, to] of changes) changed = withValue(changed, pointerTokens(pointer), to);
  return changed;
}

function withValue(value: unknown, [token, ...rest]: readonly string[], to: unknown): unknown {
  if (token === undefined) return to;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const member = withValue(members[token], rest, to);
  if (!Array.isArray(value)) return { ...members, [token]: member };
  return value.map((item: unknown, at) => (String(at) === token ? member : item));
}
