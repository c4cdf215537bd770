import { isIpv6 } from './ip-address.js';

// RFC 3986 appendix B: scheme, authority, path, query, fragment.
const PARTS = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([^#]*))?$/is;

// Characters that RFC 3986 allows in each part.
const PATH = /^(?:[a-z0-9._~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*$/i;
const TAIL = /^(?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i;
const USER = /^(?:[a-z0-9._~!$&'()*+,;=:-]|%[0-9a-f]{2})*$/i;
const NAME = /^(?:[a-z0-9._~!$&'()*+,;=-]|%[0-9a-f]{2})*$/i;
const FUTURE = /^v[0-9a-f]+\.[a-z0-9._~!$&'()*+,;=:-]+$/i;
const AUTHORITY = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:[\]]*)(?::(\d*))?$/;

/** Returns true for a URI reference (RFC 3986 section 4.1). */
export function isUriReference(text: string): boolean {
  const found = PARTS.exec(text);
  if (!found) return false;
  const [, scheme, authority, path = '', query = '', fragment = ''] = found as (string | undefined)[];
  if (!PATH.test(path) || !TAIL.test(query) || !TAIL.test(fragment)) return false;
  if (authority !== undefined) return isAuthority(authority) && (path === '' || path.startsWith('/'));
  // A colon in the first segment would make the text before it a scheme.
  return scheme !== undefined || !/^[^/]*:/.test(path);
}

/** Returns true for a URI (RFC 3986 section 3): a reference with a scheme. */
export function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isUriReference(text);
}

/** Returns true for an IRI (RFC 3987). */
export function isIri(text: string): boolean {
  return isUri(withoutUnicode(text));
}

/** Returns true for an IRI reference (RFC 3987). */
export function isIriReference(text: string): boolean {
  return isUriReference(withoutUnicode(text));
}

/** Replaces the characters that only IRIs allow with a letter. */
function withoutUnicode(text: string): string {
  return text.replaceAll(/[^\0-\x9f]/gu, 'x');
}

function isAuthority(authority: string): boolean {
  const [whole, user = '', host = ''] = AUTHORITY.exec(authority) ?? [];
  if (whole === undefined || !USER.test(user)) return false;
  if (!host.startsWith('[')) return NAME.test(host);
  const literal = host.slice(1, -1);
  return isIpv6(literal) || FUTURE.test(literal);
}
