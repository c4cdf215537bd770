/** Number of entries up to which an ordinary object costs less. */
const MAX_SMALL_ENTRIES = 8;

/**
 * Returns an object with the entries, as `Object.fromEntries` does. For each new member of an ordinary object, V8 makes a
 * hidden class, and often copies the list of its members. An object without a prototype is a hash table from the start.
 */
export function objectOfEntries<T>(
  entries: readonly (readonly [name: string, value: T])[],
): Record<string, T> {
  if (entries.length <= MAX_SMALL_ENTRIES) return Object.fromEntries(entries);
  const object = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) object[name] = value;
  return Object.setPrototypeOf(object, Object.prototype) as Record<string, T>;
}
