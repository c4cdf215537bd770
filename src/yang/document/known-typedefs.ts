import { isIPv4, isIPv6 } from 'node:net';
import type { Names } from '../modules/yang-module.js';
import { childOf, type Statement } from '../syntax/statement.js';
import type { YangType } from '../types/yang-type.js';

/** What the description of a typedef demands beyond its pattern. */
interface KnownTypedef {
  /** Returns what is wrong with a text that matches the pattern. */
  readonly check?: (text: string) => string | undefined;
  /** Returns the canonical form. */
  readonly canonical?: (text: string) => string;
}

const lowerCase: KnownTypedef = { canonical: (text) => text.toLowerCase() };

const ipv6Address: KnownTypedef = {
  check: (text) => (isIPv6(withoutZone(text)) ? undefined : 'is no IPv6 address'),
  canonical: (text) => compressedIpv6(withoutZone(text)) + text.slice(withoutZone(text).length),
};

/** Typedefs by `module:name` (RFC 6991, RFC 9911). */
const KNOWN_TYPEDEFS: Readonly<Record<string, KnownTypedef>> = {
  'ietf-yang-types:date-and-time': { check: dateFault },
  'ietf-yang-types:date': { check: dateFault },
  'ietf-yang-types:date-no-zone': { check: dateFault },
  'ietf-yang-types:phys-address': lowerCase,
  'ietf-yang-types:mac-address': lowerCase,
  'ietf-yang-types:hex-string': lowerCase,
  'ietf-yang-types:uuid': lowerCase,
  'ietf-inet-types:ipv6-address': ipv6Address,
  'ietf-inet-types:ipv6-address-no-zone': ipv6Address,
  'ietf-inet-types:ipv4-prefix': { canonical: (text) => maskedPrefix(text) },
  'ietf-inet-types:ipv6-prefix': {
    check: (text) => (isIPv6(text.split('/')[0] ?? '') ? undefined : 'is no IPv6 prefix'),
    canonical: (text) => maskedPrefix(text),
  },
};

const knownByType = new WeakMap<YangType, readonly KnownTypedef[]>();

/** Returns the known typedefs in the chain of a type, the outermost first. */
export function knownTypedefs(type: YangType, names: Names): readonly KnownTypedef[] {
  const cached = knownByType.get(type);
  if (cached) return cached;
  const found = knownTypedefNames(type, names).flatMap((name) => KNOWN_TYPEDEFS[name] ?? []);
  knownByType.set(type, found);
  return found;
}

/** Sets what {@link knownTypedefs} returns for a type whose statements are not there: the names that {@link knownTypedefNames} returned. */
export function rememberTypedefs(type: YangType, found: readonly string[]): void {
  knownByType.set(
    type,
    found.flatMap((name) => (Object.hasOwn(KNOWN_TYPEDEFS, name) ? (KNOWN_TYPEDEFS[name] ?? []) : [])),
  );
}

/** Returns `module:name` of the known typedefs in the chain of a type, the outermost first. */
export function knownTypedefNames(type: YangType, names: Names): readonly string[] {
  const found: string[] = [];
  let typedef: Statement | undefined = type.typedef;
  while (typedef) {
    const name = `${names.unitOf(typedef).module.name}:${typedef.argument}`;
    // A typedef inside another definition has the name by chance.
    if (Object.hasOwn(KNOWN_TYPEDEFS, name) && !typedef.parent?.parent) found.push(name);
    const written: Statement | undefined = childOf(typedef, 'type');
    typedef = written && names.definition('typedef', written, written.argument);
  }
  return found;
}

/** Returns what is wrong with the date and time at the start of a text (RFC 3339 5.7). */
function dateFault(text: string): string | undefined {
  const [year = 0, month = 0, day = 0] = numbersOf(/^(\d{4})-(\d{2})-(\d{2})/.exec(text));
  if (day < 1 || day > daysOf(year, month)) return 'is no date of the calendar';
  const [hour = 0, minute = 0, second = 0] = numbersOf(/T(\d{2}):(\d{2}):(\d{2})/i.exec(text));
  return hour > 23 || minute > 59 || second > 60 ? 'is no time of the day' : undefined;
}

/** Returns the number of days of a month; 0 for an invalid month. */
function daysOf(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  // Day 0 of the next month is the last day. The calendar repeats after 400 years.
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

function numbersOf(match: RegExpExecArray | null): readonly number[] {
  return (match ?? []).slice(1).map(Number);
}

function withoutZone(text: string): string {
  return text.replace(/%.*$/s, '');
}

/** Returns the form of RFC 5952 of a valid IPv6 address. */
function compressedIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** Returns a prefix with the bits after its length set to zero. Returns an invalid prefix unchanged. */
function maskedPrefix(text: string): string {
  const [address = '', length = ''] = text.split('/');
  const bits = Number(length);
  if (isIPv4(address)) return `${maskedIpv4(address, bits)}/${bits}`;
  if (!isIPv6(address)) return text;
  const groups = expandedIpv6(address).map((group, at) => group & groupMask(bits - at * 16));
  return `${compressedIpv6(groups.map((group) => group.toString(16)).join(':'))}/${bits}`;
}

function maskedIpv4(address: string, bits: number): string {
  return address
    .split('.')
    .map((octet, at) => Number(octet) & (groupMask(bits - at * 8 + 8) & 0xff))
    .join('.');
}

/** Returns a mask of 16 bits, of which the first are one. */
function groupMask(ones: number): number {
  return ones <= 0 ? 0 : ones >= 16 ? 0xffff : (0xffff << (16 - ones)) & 0xffff;
}

/** Returns the eight groups of a valid IPv6 address. */
function expandedIpv6(address: string): readonly number[] {
  const [head = '', tail] = compressedIpv6(address).split('::');
  const groupsOf = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from<number>({ length: 8 - first.length - last.length }).fill(0);
  return [...first, ...zeros, ...last];
}
