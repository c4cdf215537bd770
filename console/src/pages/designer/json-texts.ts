/** A value as a text that one can edit. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The value of a text; something else when it is no JSON. */
export function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

/** True when two values are written alike. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
