import { isHostName, isIdnHostName, isPlainHostName } from './host-names.js';

/** A JSON pointer (RFC 6901). */
const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** A relative JSON pointer: levels up, an optional index manipulation, and a JSON pointer or `#`. */
const RELATIVE_JSON_POINTER = /^(?:0|[1-9][0-9]*)(?:[+-](?:0|[1-9][0-9]*))?(?:#|(?:\/(?:[^~/]|~[01])*)*)$/;

// RFC 6570 section 2: literals and expressions.
const TEMPLATE_VARIABLE = '(?:\\w|%[0-9a-f]{2})+(?:\\.(?:\\w|%[0-9a-f]{2})+)*(?::[1-9][0-9]{0,3}|\\*)?';

/** A URI template (RFC 6570). */
const URI_TEMPLATE = new RegExp(
  `^(?:[^\\x00-\\x20\\x7f"%<>\\\\^\`{|}]|%[0-9a-f]{2}|\\{[+#./;?&=,!@|]?${TEMPLATE_VARIABLE}(?:,${TEMPLATE_VARIABLE})*\\})*$`,
  'iu',
);

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;
const MINUTES_OF_DAY = 1440;

/** Returns true for an existing calendar date (RFC 3339, `full-date`). */
export function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = (DATE.exec(text) ?? []).slice(1).map(Number);
  if (month < 1 || month > 12 || day < 1) return false;
  // Day 0 of the next month is the lastDay day of the month. The year is set separately, because `Date.UTC`
  // maps years before 100 to the 20th century.
  const lastDay = new Date(Date.UTC(2000, month, 0));
  lastDay.setUTCFullYear(year, month, 0);
  return day <= lastDay.getUTCDate();
}

/**
 * Returns true for a time with its offset (RFC 3339, `full-time`). A leap second is only valid at the end of
 * a day in UTC.
 */
export function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (!match) return false;
  const [, hours = 0, minutes = 0, seconds = 0, , offsetHours = 0, offsetMinutes = 0] =
    match.map(numberOrZero);
  if (Math.max(hours, offsetHours) > 23 || Math.max(minutes, offsetMinutes) > 59) return false;
  if (seconds < 60) return true;
  const offset = (offsetHours * 60 + offsetMinutes) * (match[4] === '-' ? -1 : 1);
  const utcMinutes = (hours * 60 + minutes - offset + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  return seconds === 60 && utcMinutes === MINUTES_OF_DAY - 1;
}

/** Returns the number of a group of digits; 0 if the group did not match. */
function numberOrZero(digits: string | undefined): number {
  return Number(digits ?? 0);
}

/** Returns true for a date and a time (RFC 3339, `date-time`). */
export function isDateTime(text: string): boolean {
  return /t/i.test(text[10] ?? '') && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

const DATE_UNITS = '\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D';
const TIME_UNITS = 'T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)';

/** A duration (RFC 3339 appendix A). A unit between two other units cannot be omitted. */
export const DURATION = new RegExp(`^P(?:\\d+W|(?:${DATE_UNITS})(?:${TIME_UNITS})?|${TIME_UNITS})$`);

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export type Formats = ReadonlyMap<string, (text: string) => boolean>;

/** Formats of all drafts since draft 7. Each check takes time linear in the length of the text. */
export const FORMATS: Formats = new Map([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['duration', matchesPattern(DURATION)],
  ['email', isMailAddress],
  ['idn-email', isIdnMailAddress],
  ['hostname', isHostName],
  ['idn-hostname', isIdnHostName],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', isUri],
  ['uri-reference', isUriReference],
  ['iri', isIri],
  ['iri-reference', isIriReference],
  ['uri-template', matchesPattern(URI_TEMPLATE)],
  ['uuid', matchesPattern(UUID)],
  ['json-pointer', matchesPattern(JSON_POINTER)],
  ['relative-json-pointer', matchesPattern(RELATIVE_JSON_POINTER)],
  ['regex', isPattern],
]);

/** Formats of drafts 4 and 6, in which `hostname` does not check labels that encode Unicode. */
export const OLD_FORMATS: Formats = new Map([...FORMATS, ['hostname', isPlainHostName]]);

function matchesPattern(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/**
 * Returns true for a valid ECMA-262 pattern, even if linear-time matchesPattern does not support the pattern.
 */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

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
function isIpv4(text: string): boolean {
  return IPV4.test(text);
}

/** Returns true for an IPv6 address in the form of RFC 4291 section 2.2, without a zone identifier. */
function isIpv6(text: string): boolean {
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
function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !(DOT_ATOMS.test(local) || QUOTED_LOCAL_PART.test(local))) return false;
  return isHostName(domain) || isAddressLiteral(domain);
}

/** Returns true for an internationalized email address (RFC 6531). */
function isIdnMailAddress(text: string): boolean {
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
