import { anyCase } from './schema.js';

// RFC 9110 section 5.6.2 (token) and section 5.5 (field-value: visible characters, spaces, tabs, upper half
// of Latin-1).
const NAME_CHARACTER = "[!#$%&'*+.^_`|~0-9A-Za-z-]";
const HEADER_NAME = new RegExp(`^${NAME_CHARACTER}+$`);
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers that only the HTTP client may set: framing, hop-by-hop headers, origin of the request, trace
 * context.
 */
const CLIENT_HEADERS = [
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
/** Prefixes of further headers that only the HTTP client may set. */
const CLIENT_HEADER_PREFIXES = ['proxy-', 'x-forwarded-'];

/** Returns true if the text is a valid header name. */
export function isHeaderName(name: string): boolean {
  return HEADER_NAME.test(name);
}

/** Returns true if the text is a valid header value: Latin-1 without control characters except tab. */
export function isHeaderValue(value: string): boolean {
  return HEADER_VALUE.test(value);
}

/** Returns true for headers that only the HTTP client may set, ignoring case. */
export function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return CLIENT_HEADERS.includes(lower) || CLIENT_HEADER_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/**
 * Returns true for names that some servers treat like framing headers, such as `Transfer_Encoding` and
 * `Content.Length`.
 */
export function resemblesFraming(name: string): boolean {
  return /^(?:transfer[^a-z-]encoding|content[^a-z-]length)$/i.test(name);
}

/**
 * Returns the pattern for a JSON Schema of header names that an operator may choose. The pattern also
 * excludes the names in `taken`.
 */
export function headerNamePattern(taken: readonly string[] = []): string {
  const names = [...CLIENT_HEADERS, ...taken].map((name) => `${anyCase(name)}$`);
  const prefixes = CLIENT_HEADER_PREFIXES.map(anyCase);
  return `^(?!${[...names, ...prefixes].join('|')})${NAME_CHARACTER}+$`;
}
