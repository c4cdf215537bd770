/** Returns why a text is not a JSON object; undefined if it is one. */
export function faultOfObject(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : 'The text must be a JSON object: { ... }.';
  } catch (error) {
    return `Invalid JSON: ${(error as Error).message}`;
  }
}
