/** A number that a double would not keep as it is written: too many digits, `1.0`, `1e3`. */
export class WrittenNumber {
  /** As it stands in the document. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Values of a JSON document. They are never changed, only replaced. */
export type Json = null | boolean | number | string | WrittenNumber | JsonList | JsonMembers;

export type JsonList = readonly Json[];

export interface JsonMembers {
  readonly [name: string]: Json;
}

/** True for an object of a document. */
export function isMembers(value: unknown): value is JsonMembers {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber)
  );
}

/** True for an array of a document. */
export function isList(value: unknown): value is JsonList {
  return Array.isArray(value);
}

/** True for an object or an array. */
export function isStructure(value: unknown): value is JsonList | JsonMembers {
  return isList(value) || isMembers(value);
}

/** The number that a text is, kept as it is written when a double would not keep it. */
export function numberFrom(text: string): number | WrittenNumber {
  const value = Number(text);
  return String(value) === text ? value : new WrittenNumber(text);
}
