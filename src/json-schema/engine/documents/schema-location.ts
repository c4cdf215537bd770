import { pointerTo } from '../../../json/pointer.js';

/** Location of a schema: a chain of reference tokens from the root of its document. */
export interface SchemaLocation {
  /** URI of the document; empty for the given schema. */
  readonly document: string;
  readonly parent: SchemaLocation | undefined;
  readonly token: string | number;
}

export function locationBelow(
  location: SchemaLocation,
  tokens: readonly (string | number)[],
): SchemaLocation {
  return tokens.reduce<SchemaLocation>(
    (parent, token) => ({ document: location.document, parent, token }),
    location,
  );
}

/**
 * Returns the RFC 6901 pointer of a location. The URI of the document and `#` precede the pointer if the
 * location is not in the given schema.
 */
export function pointerOfLocation(location: SchemaLocation): string {
  const tokens: (string | number)[] = [];
  for (let at = location; at.parent; at = at.parent) tokens.push(at.token);
  const pointer = tokens.reduceRight<string>(pointerTo, '');
  return location.document === '' ? pointer : `${location.document}#${pointer}`;
}

/** Thrown for a schema that cannot be compiled. The message is a phrase that follows the location. */
export class CompileFault extends Error {
  /** Pointer into the schema. For another document, its URI and `#` precede the pointer. */
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}
