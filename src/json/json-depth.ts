/**
 * Returns the depth of a JSON value; Infinity for one that contains itself, or is deeper than the maximum. Looks at an object that
 * occurs in several places once.
 */
export function jsonDepth(value: unknown, max: number, known = new Map<object, number>()): number {
  if (typeof value !== 'object' || value === null) return 0;
  const before = known.get(value);
  if (before !== undefined || max === 0) return before ?? Infinity;
  known.set(value, Infinity);
  const below = Object.values(value).map((child) => jsonDepth(child, max - 1, known));
  const depth = 1 + below.reduce((most, one) => Math.max(most, one), 0);
  known.set(value, depth);
  return depth;
}
