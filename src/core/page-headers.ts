/**
 * Policy of every page: no external content, no inline content, and no script from text (CSP Level 3, Trusted
 * Types).
 */
const BASE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
];

/**
 * Returns the `Content-Security-Policy` of a page that these origins may frame; `self` is the origin of this
 * server. Without origins, the page cannot be framed.
 */
export function pagePolicy(frameAncestors: readonly string[] = []): string {
  const sources = frameAncestors.length === 0 ? ['none'] : frameAncestors;
  const ancestors = sources.map((source) => (source.includes(':') ? source : `'${source}'`));
  return [...BASE_POLICY, `frame-ancestors ${ancestors.join(' ')}`].join('; ');
}

/** Headers of a page that cannot be framed. */
export const PAGE_HEADERS = {
  'content-security-policy': pagePolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const satisfies Readonly<Record<string, string>>;
