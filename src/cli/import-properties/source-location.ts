import { isJsonObject, ownMember } from '../../core/json-object.js';
import { pointerTo, pointerTokens } from '../../core/pointer.js';
import { isEncrypted } from '../../vault/reference.js';

/** A value of what is imported, and where it stands there. */
export interface SourceLocation {
  readonly pointer: string;
  readonly value: unknown;
}

/** The place of a member, and of one in it, and so on; its value is `undefined` where there is none. */
export function at(place: SourceLocation, ...names: readonly string[]): SourceLocation {
  return names.reduce<SourceLocation>(
    ({ pointer, value }, name) => ({ pointer: pointerTo(pointer, name), value: ownMember(value, name) }),
    place,
  );
}

/** The places of the items of an array; none for anything else. */
export function itemsOf({ pointer, value }: SourceLocation): readonly SourceLocation[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown, index) => ({ pointer: pointerTo(pointer, index), value: item }));
}

/** The places of the members of an object; none for anything else. */
export function membersOf(place: SourceLocation): readonly (SourceLocation & { readonly name: string })[] {
  if (!isJsonObject(place.value)) return [];
  return Object.entries(place.value).map(([name, value]) => ({
    name,
    pointer: pointerTo(place.pointer, name),
    value,
  }));
}

/** The places below one that say something: `null`, an empty text and what has no members say nothing. */
export function leavesOf(place: SourceLocation): readonly SourceLocation[] {
  const { value } = place;
  if (value === null || value === undefined || value === '') return [];
  if (typeof value !== 'object') return [place];
  return [...itemsOf(place), ...membersOf(place)].flatMap(leavesOf);
}

const PLAIN_NAME = /^[\w@. -]{1,64}$/;

/** A pointer as it may be printed: a name that may be no name, but ciphertext for example, has its length alone. */
export function shown(pointer: string): string {
  const tokens = pointerTokens(pointer).map((token) =>
    (PLAIN_NAME.test(token) || /^[\w@./ -]{1,64}$/.test(token)) && !isEncrypted(token)
      ? pointerTo('', token)
      : `/…(${token.length} chars)`,
  );
  return tokens.join('') || '/';
}
