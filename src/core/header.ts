import { headerOf } from './adapter.js';
import type { HttpReply } from './http.js';
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
function freeNamePattern(taken: readonly string[], takenPrefixes: readonly string[]): string {
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

/**
 * Returns the delay in the header `Retry-After` of a reply, in milliseconds (RFC 9110 section 10.2.3: seconds
 * or a date). Returns undefined if the reply has no valid header.
 */
export function retryAfterMs({ headers }: Pick<HttpReply, 'headers'>, now: number): number | undefined {
  const text = headerOf(headers, 'retry-after')?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/**
 * Headers of replies of orchestrators that callers get, by lower-case name. Every other header is withheld, so that a header that
 * browsers or reverse proxies learn to obey in the future does not act on the address of this server.
 */
const FORWARDED_HEADERS: ReadonlySet<string> = new Set([
  // Content (RFC 9110 section 8, RFC 5789, RFC 6266, RFC 9530).
  ...['accept', 'accept-encoding', 'accept-patch', 'accept-post', 'allow', 'content-digest'],
  ...['content-disposition', 'content-encoding', 'content-language', 'content-length', 'content-location'],
  ...['content-md5', 'content-type', 'digest', 'repr-digest'],
  // Caching, conditions and ranges (RFC 9110 sections 13 and 14, RFC 9111).
  ...['accept-ranges', 'age', 'cache-control', 'content-range', 'date', 'etag', 'expires', 'last-modified'],
  ...['pragma', 'vary', 'warning'],
  // Other resources, and what the orchestrator did with the request (RFC 8288, RFC 7240, OData).
  ...['link', 'location', 'odata-entityid', 'odata-version', 'preference-applied'],
  // When to send again, and until when (RFC 8594, RFC 9745). RateLimit and RateLimit-Policy are those of this server.
  ...['deprecation', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after', 'sunset'],
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  // Pages of a list.
  ...['x-next-page', 'x-page', 'x-per-page', 'x-prev-page', 'x-total', 'x-total-count', 'x-total-pages'],
  // WebSockets (RFC 6455).
  ...['sec-websocket-accept', 'sec-websocket-extensions', 'sec-websocket-protocol', 'sec-websocket-version'],
]);

/** Returns the lower-case names of the headers that callers get from an adapter, whose setting adds names. */
export function forwardedReplyHeaders(added: readonly string[] = []): ReadonlySet<string> {
  if (added.length === 0) return FORWARDED_HEADERS;
  return new Set([...FORWARDED_HEADERS, ...added.map((name) => name.toLowerCase())]);
}

/** Headers that no setting may add: sessions, authentication, what this server sends itself, and policies for its address. */
const REFUSED_HEADERS = [
  ...['accept-ch', 'alt-svc', 'available-dictionary', 'clear-site-data', 'critical-ch', 'expect-ct'],
  ...['feature-policy', 'http2-settings', 'login-status', 'nel', 'no-vary-search', 'origin-agent-cluster'],
  ...['ratelimit', 'ratelimit-policy', 'refresh', 'report-to', 'reporting-endpoints', 'speculation-rules'],
  ...['strict-transport-security', 'supports-loading-mode', 'timing-allow-origin', 'use-as-dictionary'],
  ...['via', 'x-content-type-options', 'x-dns-prefetch-control', 'x-frame-options', 'x-request-id'],
];

/** Beginnings of the names of such headers, and of headers that reverse proxies and caches obey. */
const REFUSED_PREFIXES = [
  ...['access-control-', 'activate-storage-', 'ad-auction-', 'attribution-reporting-', 'authentication-'],
  ...['cache-status', 'cdn-', 'cloudflare-', 'content-security-policy', 'cross-origin-', 'document-'],
  ...['edge-', 'integrity-policy', 'observe-', 'optional-www-', 'permissions-policy', 'public-key-pins'],
  ...['sec-', 'service-worker-', 'set-', 'shared-storage-', 'surrogate-', 'www-authenticate'],
  ...['x-accel-', 'x-envoy-', 'x-lighttpd-', 'x-litespeed-', 'x-reproxy-', 'x-sendfile'],
];

/** Pattern (for a JSON Schema) of a name that the setting of an adapter may add. `*` would not stand for other characters. */
export const ADDED_REPLY_HEADER_PATTERN = `^(?!.*\\*)${freeNamePattern(REFUSED_HEADERS, REFUSED_PREFIXES).slice(1)}`;
