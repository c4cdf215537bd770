/**
 * Returns true for an object with this brand, a symbol of the registry (`Symbol.for`). Classes that plugins share with the
 * server are recognized by a brand, because a plugin may bring another copy of them, for example in a bundle.
 */
export function hasBrand(value: unknown, brand: symbol): boolean {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}

/** Gives the objects of a class a brand, which is not enumerable. */
export function setBrand(prototype: object, brand: symbol): void {
  Object.defineProperty(prototype, brand, { value: true });
}
