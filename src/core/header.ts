import { anyCase } from './schema.js';

// RFC 9110 section 5.6.2 (token) and 5.5 (field-value: visible characters, spaces, tabs, and the upper half of
// Latin-1).
const NAME_CHARACTERS = "[!#$%&'*+.^_`|~0-9A-Za-z-]";
const NAME = new RegExp(`^${NAME_CHARACTERS}+$`);
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers that only the HTTP client may set, besides {@link OWN_PREFIXES}: framing, hop-by-hop headers,
 * origin of the request, trace context.
 */
const OWN_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const OWN_PREFIXES = ['proxy-', 'x-forwarded-'];

/** Returns true if the text is a valid header name. */
export function isHeaderName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Returns true if the text is a valid header value: no line break, no control character but tab, nothing
 * beyond Latin-1.
 */
export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

/** Returns true for headers that only the HTTP client may set, ignoring case. */
export function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return OWN_HEADERS.includes(lower) || OWN_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/**
 * Returns true for names that some peers mistake for framing headers, such as `Transfer_Encoding` and
 * `Content.Length`.
 */
export function resemblesFraming(name: string): boolean {
  return /^(?:transfer[^a-z-]encoding|content[^a-z-]length)$/i.test(name);
}

/**
 * Returns the pattern, for a JSON Schema, of header names that an operator may choose. `taken` lists further
 * names to refuse.
 */
export function headerNamePattern(taken: readonly string[] = []): string {
  const names = [...OWN_HEADERS, ...taken].map((name) => `${anyCase(name)}$`);
  const prefixes = OWN_PREFIXES.map(anyCase);
  return `^(?!${[...names, ...prefixes].join('|')})${NAME_CHARACTERS}+$`;
}
