import { isJsonObject, ownMember } from '../../json/json-object.js';
import { pointerTo, pointerTokens } from '../../json/pointer.js';
import { isEncrypted } from '../../secrets/reference.js';

export interface SourceLocation {
  readonly pointer: string;
  readonly value: unknown;
}

/** Returns the location of a nested member. Its value is `undefined` if the member does not exist. */
export function at(location: SourceLocation, ...names: readonly string[]): SourceLocation {
  return names.reduce<SourceLocation>(
    ({ pointer, value }, name) => ({ pointer: pointerTo(pointer, name), value: ownMember(value, name) }),
    location,
  );
}

/** Returns the locations of array items; empty for other values. */
export function itemsOf({ pointer, value }: SourceLocation): readonly SourceLocation[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown, index) => ({ pointer: pointerTo(pointer, index), value: item }));
}

/** Returns the locations of object members; empty for other values. */
export function membersOf(location: SourceLocation): readonly (SourceLocation & { readonly name: string })[] {
  if (!isJsonObject(location.value)) return [];
  return Object.entries(location.value).map(([name, value]) => ({
    name,
    pointer: pointerTo(location.pointer, name),
    value,
  }));
}

/**
 * Returns the locations of the scalar values below a location. Skips `null`, empty texts, and empty objects
 * and arrays.
 */
export function leavesOf(location: SourceLocation): readonly SourceLocation[] {
  const { value } = location;
  if (value === null || value === undefined || value === '') return [];
  if (typeof value !== 'object') return [location];
  return [...itemsOf(location), ...membersOf(location)].flatMap(leavesOf);
}

const PLAIN_NAME = /^[\w@. -]{1,64}$/;

/** Returns a pointer that is safe to print. Replaces tokens that may be ciphertext by their length. */
export function printablePointer(pointer: string): string {
  const tokens = pointerTokens(pointer).map((token) =>
    (PLAIN_NAME.test(token) || /^[\w@./ -]{1,64}$/.test(token)) && !isEncrypted(token)
      ? pointerTo('', token)
      : `/…(${token.length} chars)`,
  );
  return tokens.join('') || '/';
}
