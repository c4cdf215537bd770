/** An object of JSON: no array, no null. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object of parsed JSON; false for arrays, scalars and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member of an object: `toString` and its like are members only where they are written. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The same of whatever may be an object; `undefined` when it is none. */
export function ownMember(value: unknown, name: string): unknown {
  return isJsonObject(value) ? memberOf(value, name) : undefined;
}
