import type { JsonObject } from '../../../../../src/json/json-object.js';

/** A schema with its location. `resource` is the enclosing schema with an `$id`, which `#` refers to. */
export interface SchemaPart {
  readonly schema: JsonObject;
  /** Pointer from the root of the document. */
  readonly pointer: string;
  readonly resource: JsonObject;
  readonly resourcePointer: string;
}
