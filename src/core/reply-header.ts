import { freeNamePattern } from './header.js';

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
