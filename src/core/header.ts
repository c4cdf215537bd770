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
 *
 * @example
 * ```ts
 * const names = { type: 'string', pattern: headerNamePattern(['accept', 'authorization']) };
 * ```
 */
export function headerNamePattern(taken: readonly string[] = []): string {
  return freeNamePattern(taken, []);
}

/** Returns the pattern of {@link headerNamePattern}, which also excludes the names that begin with one of `takenPrefixes`. */
export function freeNamePattern(taken: readonly string[], takenPrefixes: readonly string[]): string {
  const names = [...CLIENT_HEADERS, ...taken].map((name) => `${anyCase(name)}$`);
  const prefixes = [...CLIENT_HEADER_PREFIXES, ...takenPrefixes].map(anyCase);
  return `^(?!${[...names, ...prefixes].join('|')})${NAME_CHARACTER}+$`;
}

// RFC 9110 section 5.6.2 (token) and section 8.3.1 (media-type). Quoted parameters must not contain escapes.
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[^"\\\\\\x00-\\x1f\\x7f]*")`;
const MEDIA_TYPE = `${TOKEN}/${TOKEN}(?:${PARAMETER})*`;

/** Pattern (for a JSON Schema) of one media type, as in Content-Type. */
export const MEDIA_TYPE_PATTERN = `^${MEDIA_TYPE}$`;

/** Pattern of one or more media types or ranges separated by commas, as in Accept. */
export const ACCEPT_PATTERN = `^${MEDIA_TYPE}(?:[ \\t]*,[ \\t]*${MEDIA_TYPE})*$`;

/** Maximum length of a media type or Accept value, in characters. */
export const MEDIA_TYPE_LENGTH = 1024;

/** Returns the media type of a Content-Type in lower case, without its parameters; an empty text without a value. */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Returns true for `application/json` and for every type with the suffix `+json` (RFC 6839), with any
 * parameters.
 */
export function isJson(contentType: string | undefined): boolean {
  const type = mediaTypeOf(contentType);
  return type === 'application/json' || type.endsWith('+json');
}

/** Content of a `Set-Cookie` header (RFC 6265). Value and path contain no semicolon and no space. */
interface CookieTerms {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Lifetime in seconds; 0 removes the cookie. */
  readonly maxAge: number;
  readonly sameSite: 'Strict' | 'Lax';
  /** True makes browsers send the cookie only over TLS. */
  readonly isSecure: boolean;
}

/** Maximum combined length of a cookie's name and value in browsers, in characters. */
export const COOKIE_LENGTH = 4096;

/** Returns the text of a `Set-Cookie` header for a cookie that scripts cannot read. */
export function setCookie({ name, value, path, maxAge, sameSite, isSecure }: CookieTerms): string {
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** Returns the names of all cookies in a `Cookie` header, in order. */
export function cookieNames(cookie: string | undefined): readonly string[] {
  return (cookie ?? '').split(';').flatMap((pair) => (pair.includes('=') ? pair.trim().split('=', 1) : []));
}

/** Returns the values of all cookies with this name in a `Cookie` header, in order. */
export function cookieValues(cookie: string | undefined, name: string): readonly string[] {
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
}

/** A value of a header that lists preferences, such as `Accept`. */
interface Preference {
  /** Lower case, for example `gzip` or `text/html`. */
  readonly value: string;
  /** From 0, which refuses the value, to 1. */
  readonly weight: number;
}

/** Returns the preferences in a header with quality values (RFC 9110 section 12.4.2). */
export function preferences(header: string): readonly Preference[] {
  return header
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .map(([value = '', ...parameters]) => ({ value, weight: weightOf(parameters) }));
}

function weightOf(parameters: readonly string[]): number {
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  return Number.isNaN(weight) ? 0 : weight;
}
