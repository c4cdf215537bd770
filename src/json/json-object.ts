/** A JSON object; not an array and not null. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns true for an object of parsed JSON; false for arrays, scalars and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns an own member of an object. Inherited members such as `toString` are ignored. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns an own member of a value; `undefined` if the value is not an object. */
export function ownMember(value: unknown, name: string): unknown {
  return isJsonObject(value) ? memberOf(value, name) : undefined;
}

/** Returns a deep copy of plain JSON values. */
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const name of Object.keys(copy)) {
    const member = copy[name];
    if (typeof member === 'object' && member !== null) copy[name] = copyJson(member);
  }
  return copy;
}
