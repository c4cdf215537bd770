/** A parsed JSON object. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** True for an object of parsed JSON; false for arrays, scalars and null. */
export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a JSON object, never an inherited one (`constructor`); `undefined` when there is none. */
export function ownMember(value: unknown, name: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
