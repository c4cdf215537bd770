/** Decodes percent-encoded characters (RFC 3986); returns a text with an invalid encoding unchanged. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
