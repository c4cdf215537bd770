import { anyCase } from './schema.js';

// RFC 9110 section 5.6.2 (token) and 5.5 (field-value: visible characters, blanks, and the upper half of Latin-1).
const NAME_CHARACTERS = "[!#$%&'*+.^_`|~0-9A-Za-z-]";
const NAME = new RegExp(`^${NAME_CHARACTERS}+$`);
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that nobody but the HTTP client may set, beside {@link OWN_PREFIXES}: framing, hop-by-hop, where a request came from, its trace. */
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

/** True for a text that can be the name of a header. */
export function isHeaderName(name: string): boolean {
  return NAME.test(name);
}

/** True for a text that can stand in a header line: no line break, no control character, nothing beyond Latin-1. */
export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

/** True for headers that nobody but the HTTP client may set, in any case. */
export function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return OWN_HEADERS.includes(lower) || OWN_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** True for names that some peers read as the framing headers they resemble: `Transfer_Encoding`, `Content.Length`. */
export function resemblesFraming(name: string): boolean {
  return /^(?:transfer[^a-z-]encoding|content[^a-z-]length)$/i.test(name);
}

/** Pattern, for a JSON Schema, of a header name that an operator may choose; `taken` names some more that are refused. */
export function headerNamePattern(taken: readonly string[] = []): string {
  const names = [...OWN_HEADERS, ...taken].map((name) => `${anyCase(name)}$`);
  const prefixes = OWN_PREFIXES.map(anyCase);
  return `^(?!${[...names, ...prefixes].join('|')})${NAME_CHARACTERS}+$`;
}
