/** Formats a value as editable text. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Returns the parsed value of a text; a default if it is not valid JSON. */
export function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

/** True if two values have the same JSON text. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
