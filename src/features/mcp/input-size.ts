import type { AdapterMethod } from '../../core/adapter-method.js';
import { jsonDepth } from '../../json/json-depth.js';

/** Maximum depth of a schema that agents get. Deeper JSON can overflow the stack where it is written or read. */
const MAX_DEPTH = 100;

/** Sizes of the inputs that were measured; null for one that no agent gets. */
const sizes = new WeakMap<AdapterMethod, number | null>();

/** Returns the length of the JSON of the input of a method; undefined for a schema that is too deep, or refers to itself as an object. */
export function inputSize(method: AdapterMethod): number | undefined {
  let size = sizes.get(method);
  if (size === undefined) {
    size = jsonDepth(method.input, MAX_DEPTH) > MAX_DEPTH ? null : JSON.stringify(method.input).length;
    sizes.set(method, size);
  }
  return size ?? undefined;
}
