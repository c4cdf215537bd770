// RFC 9110 section 5.6.2 (token) and 5.5 (field-value: visible characters, blanks, and the upper half of Latin-1).
const NAME = /^[!#$%&'*+.^`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

// Framing and routing belong to the client itself; a caller who could set them could start a second request.
const OWN = new Set([
  'connection',
  'content-length',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What is wrong with a header that somebody else chose, or `undefined`. Never repeats the value. */
export function headerFault(name: string, value: string): string | undefined {
  if (name.includes('_')) return 'has a "_" in its name, which many servers read as "-"';
  if (!NAME.test(name)) return 'is not a header name';
  if (isOwnHeader(name)) return 'is set by the proxy itself; leave it out';
  if (!isHeaderValue(value))
    return 'has a line break, a control character or a character beyond Latin-1 in its value';
  return undefined;
}

/** True for a text that can stand in a header line. */
export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

/** True for a text that can be the name of a header, `_` included: operators may need it. */
export function isHeaderName(name: string): boolean {
  return NAME.test(name.replaceAll('_', '-'));
}

/** True for headers that nobody but the client may set: framing, hop-by-hop, and where a request came from. */
export function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return OWN.has(lower) || lower.startsWith('proxy-') || lower.startsWith('x-forwarded-');
}
