/** Returns why a text is not a JSON object; undefined if it is one. */
export function faultOfObject(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : 'This must be a JSON object: { ... }.';
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`;
  }
}
