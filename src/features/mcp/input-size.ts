import type { AdapterMethod } from '../../core/adapter-method.js';

/** Maximum depth of a schema that agents get. Deeper JSON can overflow the stack where it is written or read. */
const MAX_DEPTH = 100;

/** Sizes of the inputs that were measured; null for one that no agent gets. */
const sizes = new WeakMap<AdapterMethod, number | null>();

/** Returns the length of the JSON of the input of a method; undefined for a schema that is too deep, or refers to itself as an object. */
export function inputSize(method: AdapterMethod): number | undefined {
  let size = sizes.get(method);
  if (size === undefined) {
    size = depthOf(method.input) > MAX_DEPTH ? null : JSON.stringify(method.input).length;
    sizes.set(method, size);
  }
  return size ?? undefined;
}

/** Returns the depth of a value; Infinity for one that contains itself. Looks at each object once. */
function depthOf(value: unknown, known = new Map<object, number>(), level = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  const before = known.get(value);
  if (before !== undefined || level > MAX_DEPTH) return before ?? Infinity;
  known.set(value, Infinity);
  const below = Object.values(value).map((child) => depthOf(child, known, level + 1));
  const depth = 1 + below.reduce((most, one) => Math.max(most, one), 0);
  known.set(value, depth);
  return depth;
}
