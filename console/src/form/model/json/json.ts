/** A number whose text a double would not preserve: too many digits, `1.0`, `1e3`. */
export class WrittenNumber {
  /** The number's text in the document. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Values of a JSON document. Immutable. */
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

/** Parses a number; keeps its text if a double would not preserve it. */
export function numberFrom(text: string): number | WrittenNumber {
  const value = Number(text);
  return String(value) === text ? value : new WrittenNumber(text);
}
