/**
 * Returns true for base64 with its padding (RFC 4648 section 4), of any length. A pattern that repeats groups of four characters
 * would exceed the stack of V8 at some megabytes.
 */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
