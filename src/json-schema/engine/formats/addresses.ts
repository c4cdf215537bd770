import { isHostName } from './host-names.js';

// RFC 3986 appendix B: scheme, authority, path, query, fragment.
const URI_PARTS = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([^#]*))?$/is;

// Characters that RFC 3986 allows in each part.
const PATH_CHARACTERS = /^(?:[a-z0-9._~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*$/i;
const QUERY_CHARACTERS = /^(?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i;
const USER_CHARACTERS = /^(?:[a-z0-9._~!$&'()*+,;=:-]|%[0-9a-f]{2})*$/i;
const HOST_CHARACTERS = /^(?:[a-z0-9._~!$&'()*+,;=-]|%[0-9a-f]{2})*$/i;
const IP_FUTURE = /^v[0-9a-f]+\.[a-z0-9._~!$&'()*+,;=:-]+$/i;
const AUTHORITY = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:[\]]*)(?::(\d*))?$/;

/** Returns true for a URI reference (RFC 3986 section 4.1). */
export function isUriReference(text: string): boolean {
  const match = URI_PARTS.exec(text);
  if (!match) return false;
  const [, scheme, authority, path = '', query = '', fragment = ''] = match as (string | undefined)[];
  if (!PATH_CHARACTERS.test(path) || !QUERY_CHARACTERS.test(query) || !QUERY_CHARACTERS.test(fragment))
    return false;
  if (authority !== undefined) return isAuthority(authority) && (path === '' || path.startsWith('/'));
  // A colon in the first segment would turn the text before the colon into a scheme.
  return scheme !== undefined || !/^[^/]*:/.test(path);
}

/** Returns true for a URI (RFC 3986 section 3), which is a reference with a scheme. */
export function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isUriReference(text);
}

/** Returns true for an IRI (RFC 3987). */
export function isIri(text: string): boolean {
  return isUri(asUri(text));
}

/** Returns true for an IRI reference (RFC 3987). */
export function isIriReference(text: string): boolean {
  return isUriReference(asUri(text));
}

/** Replaces each character that only IRIs allow with a letter, so that the rules of URIs apply. */
function asUri(text: string): string {
  return text.replaceAll(/[^\0-\x9f]/gu, 'x');
}

function isAuthority(authority: string): boolean {
  const [matched, user = '', host = ''] = AUTHORITY.exec(authority) ?? [];
  if (matched === undefined || !USER_CHARACTERS.test(user)) return false;
  if (!host.startsWith('[')) return HOST_CHARACTERS.test(host);
  const literal = host.slice(1, -1);
  return isIpv6(literal) || IP_FUTURE.test(literal);
}

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const IPV6_GROUP = /^[0-9a-f]{1,4}$/i;

/**
 * Returns true for an IPv4 address in the form of RFC 2673 section 3.2, which has four decimal numbers
 * without leading zeros.
 */
export function isIpv4(text: string): boolean {
  return IPV4.test(text);
}

/** Returns true for an IPv6 address in the form of RFC 4291 section 2.2, without a zone identifier. */
export function isIpv6(text: string): boolean {
  // The longest address has eight groups, with an IPv4 address as the last two.
  if (text.length > 45) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const all = groups.flat();
  const last = groups.at(-1)?.at(-1) ?? '';
  const endsInIpv4 = last.includes('.');
  if (endsInIpv4 && !isIpv4(last)) return false;
  const plain = endsInIpv4 ? all.slice(0, -1) : all;
  const size = all.length + (endsInIpv4 ? 1 : 0);
  return plain.every((group) => IPV6_GROUP.test(group)) && (halves.length === 2 ? size < 8 : size === 8);
}

// RFC 5321 section 4.1.2: the local part before the @ consists of atoms or is quoted.
const DOT_ATOMS = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;

const QUOTED_LOCAL_PART = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;

/** Returns true for an email address (RFC 5321 section 4.1.2). */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !(DOT_ATOMS.test(local) || QUOTED_LOCAL_PART.test(local))) return false;
  return isHostName(domain) || isAddressLiteral(domain);
}

/** Returns true for an internationalized email address (RFC 6531). */
export function isIdnMailAddress(text: string): boolean {
  return isMailAddress(text.replaceAll(/[^\x00-\x7f]/gu, replaceWideCharacter));
}

/**
 * Returns a letter for a character beyond ASCII, so that the ASCII rules apply. Returns a space, which the
 * rules refuse, for a full-width or small commercial at.
 */
function replaceWideCharacter(character: string): string {
  return '＠﹫'.includes(character) ? ' ' : 'x';
}

/** Returns true for an address literal (RFC 5321 section 4.1.3). */
function isAddressLiteral(domain: string): boolean {
  const [, prefix = '', address = ''] = /^\[(IPv6:)?([^\]]*)\]$/i.exec(domain) ?? [];
  return prefix === '' ? isIpv4(address) : isIpv6(address);
}
