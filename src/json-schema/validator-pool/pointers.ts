import { pointerTo } from '../../core/pointer.js';

/** A member of an object somewhere in a document. */
export interface SchemaLocation {
  readonly pointer: string;
  readonly name: string;
  readonly value: unknown;
}

/** Every member of every object of a document, outer ones first. */
export function* placesIn(value: unknown, pointer = ''): Generator<SchemaLocation> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const at = pointerTo(pointer, name);
    if (!Array.isArray(value)) yield { pointer: at, name, value: member };
    yield* placesIn(member, at);
  }
}

/** Pointer of the first member with a name (and a value, where one is given); `undefined` when there is none. */
export function placeOf(document: unknown, name: string, value?: unknown): string | undefined {
  for (const place of placesIn(document))
    if (place.name === name && (value === undefined || place.value === value)) return place.pointer;
  return undefined;
}
