import { pointerTo } from '../../../core/pointer.js';
import type { SchemaLocation } from '../model.js';

/** Returns the place below another place at the given tokens. */
export function placeBelow(place: SchemaLocation, tokens: readonly (string | number)[]): SchemaLocation {
  return tokens.reduce<SchemaLocation>(
    (parent, token) => ({ document: place.document, parent, token }),
    place,
  );
}

/**
 * Returns the RFC 6901 pointer of a place, after the URI of its document and `#` if that is not the given
 * schema.
 */
export function pointerOfPlace(place: SchemaLocation): string {
  const tokens: (string | number)[] = [];
  for (let at = place; at.parent; at = at.parent) tokens.push(at.token);
  const pointer = tokens.reduceRight<string>(pointerTo, '');
  return place.document === '' ? pointer : `${place.document}#${pointer}`;
}
