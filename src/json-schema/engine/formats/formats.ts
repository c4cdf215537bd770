import { isIpv4, isIpv6 } from './ip-address.js';
import { isIri, isIriReference, isUri, isUriReference } from './uri.js';
import { isIdnLabel } from './idn-label.js';
import { decodePunycode, encodePunycode } from './punycode.js';

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;
const EUROPEAN_DIGIT = /[0-9\u06f0-\u06f9]/;
const ARABIC_DIGIT = /[\u0660-\u0669]/;

/**
 * Returns true if names keep the rule for right-to-left labels (RFC 5893 section 2), as far as scripts
 * determine the direction. Each label begins with a letter, has letters of one direction, and uses one kind
 * of digits.
 */
function keepDirection(labels: readonly string[]): boolean {
  const characters = labels.map((label) => Array.from(label));
  return !characters.some((label) => label.some(isBackward)) || characters.every(keepsDirection);
}

/** Returns true for a right-to-left character. Digits and marks follow the letters around them. */
function isBackward(character: string): boolean {
  return RIGHT_TO_LEFT.test(character) && !/[\p{Nd}\p{M}]/u.test(character);
}

function isForward(character: string): boolean {
  return /\p{L}/u.test(character) && !RIGHT_TO_LEFT.test(character);
}

function keepsDirection(label: readonly string[]): boolean {
  const [first = ''] = label;
  if (!isBackward(first) && !isForward(first)) return false;
  if (label.some((one) => EUROPEAN_DIGIT.test(one)) && label.some((one) => ARABIC_DIGIT.test(one)))
    return false;
  return !(label.some(isBackward) && label.some(isForward));
}

// RFC 1123 section 2.1, RFC 5890 section 2.3.1.
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Maximum length of a name and of a label, in characters on the wire. */
const LONGEST_NAME = 253;
const LONGEST_LABEL = 63;

/** Returns true for a host name (RFC 1123). Labels that encode Unicode must be valid (RFC 5890). */
function isHostName(text: string): boolean {
  return text.length <= LONGEST_NAME && text.split('.').every(isLabel);
}

/**
 * Returns true for a host name as drafts 4 and 6 define it, without a check of labels that encode Unicode.
 */
function isPlainHostName(text: string): boolean {
  return text.length <= LONGEST_NAME && text.split('.').every((label) => LABEL.test(label));
}

/** Returns true for a label in ASCII. */
function isLabel(label: string): boolean {
  if (!LABEL.test(label)) return false;
  return label.slice(2, 4) !== '--' || isALabel(label.toLowerCase());
}

function isALabel(label: string): boolean {
  if (!label.startsWith('xn--')) return false;
  const decoded = decodePunycode(label.slice(4));
  if (decoded === undefined || !/[^\x00-\x7f]/.test(decoded)) return false;
  return encodePunycode(decoded) === label.slice(4) && isIdnLabel(decoded) && keepDirection([decoded]);
}

/** Returns the label in its wire form; undefined if that is too long. */
function wireLabel(label: string): string | undefined {
  if (label.length > LONGEST_LABEL) return undefined;
  const wire = /[^\x00-\x7f]/.test(label) ? `xn--${encodePunycode(label)}` : label;
  return wire.length <= LONGEST_LABEL ? wire : undefined;
}

/** A JSON pointer (RFC 6901). */
const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** A relative JSON pointer: steps up, an optional index manipulation, and a pointer or `#`. */
const RELATIVE_JSON_POINTER = /^(?:0|[1-9][0-9]*)(?:[+-](?:0|[1-9][0-9]*))?(?:#|(?:\/(?:[^~/]|~[01])*)*)$/;

// RFC 6570 section 2: literals and expressions.
const NAME = '(?:\\w|%[0-9a-f]{2})+(?:\\.(?:\\w|%[0-9a-f]{2})+)*(?::[1-9][0-9]{0,3}|\\*)?';

/** A URI template (RFC 6570). */
const URI_TEMPLATE = new RegExp(
  `^(?:[^\\x00-\\x20\\x7f"%<>\\\\^\`{|}]|%[0-9a-f]{2}|\\{[+#./;?&=,!@|]?${NAME}(?:,${NAME})*\\})*$`,
  'iu',
);

// All characters that are accepted as a dot (RFC 3490 section 3.1).
const DOTS = /[.\u3002\uff0e\uff61]/u;

/** Returns true for a host name with labels in Unicode (RFC 5890 section 2.3.2.3). */
function isIdnHostName(text: string): boolean {
  if (text.length > 253) return false;
  const labels = text.split(DOTS);
  const right = labels.every((label) => (/[^\x00-\x7f]/.test(label) ? isIdnLabel(label) : isLabel(label)));
  return (
    right && keepDirection(labels) && isHostName(labels.map((label) => wireLabel(label) ?? '').join('.'))
  );
}

// RFC 5321 section 4.1.2: the part before the @ consists of atoms or is quoted. RFC 6531 adds characters
// beyond ASCII.
const ATOMS = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;

/** Returns true for a mail address (RFC 5321 section 4.1.2). */
function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !(ATOMS.test(local) || QUOTED.test(local))) return false;
  return isHostName(domain) || isAddressLiteral(domain);
}

/** Returns true for an internationalized mail address (RFC 6531). */
function isIdnMailAddress(text: string): boolean {
  return isMailAddress(text.replaceAll(/[^\x00-\x7f]/gu, notAnAt));
}

/**
 * Returns a letter for a character beyond ASCII, or a space for a character that looks like the @ of an
 * address.
 */
function notAnAt(character: string): string {
  return '＠﹫'.includes(character) ? ' ' : 'x';
}

/** Returns true for an address literal (RFC 5321 section 4.1.3). */
function isAddressLiteral(domain: string): boolean {
  const [, prefix = '', address = ''] = /^\[(IPv6:)?([^\]]*)\]$/i.exec(domain) ?? [];
  return prefix === '' ? isIpv4(address) : isIpv6(address);
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;
const MINUTES_OF_DAY = 1440;

/** Returns true for a date that exists in the calendar (RFC 3339, `full-date`). */
export function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = (DATE.exec(text) ?? []).slice(1).map(Number);
  if (month < 1 || month > 12 || day < 1) return false;
  // Day 0 of the next month is the last day of the month. The year is set separately, because `Date.UTC` maps
  // years before 100 to the 20th century.
  const last = new Date(Date.UTC(2000, month, 0));
  last.setUTCFullYear(year, month, 0);
  return day <= last.getUTCDate();
}

/**
 * Returns true for a time with its offset (RFC 3339, `full-time`). A leap second is only valid at the end of
 * a day in UTC.
 */
export function isTime(text: string): boolean {
  const found = TIME.exec(text);
  if (!found) return false;
  const [, hours = 0, minutes = 0, seconds = 0, , offsetHours = 0, offsetMinutes = 0] = found.map(orZero);
  if (Math.max(hours, offsetHours) > 23 || Math.max(minutes, offsetMinutes) > 59) return false;
  if (seconds < 60) return true;
  const offset = (offsetHours * 60 + offsetMinutes) * (found[4] === '-' ? -1 : 1);
  const inUtc = (hours * 60 + minutes - offset + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  return seconds === 60 && inUtc === MINUTES_OF_DAY - 1;
}

/** Returns the number of a group of digits; 0 if the group did not match. */
function orZero(digits: string | undefined): number {
  return Number(digits ?? 0);
}

/** Returns true for a date and a time (RFC 3339, `date-time`). */
export function isDateTime(text: string): boolean {
  return /t/i.test(text[10] ?? '') && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

const DAYS = '\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D';
const SECONDS = 'T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)';

/** A duration (RFC 3339 appendix A). A unit between two others cannot be left out. */
export const DURATION = new RegExp(`^P(?:\\d+W|(?:${DAYS})(?:${SECONDS})?|${SECONDS})$`);

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Checks of formats by name. */
export type Formats = ReadonlyMap<string, (text: string) => boolean>;

/** Formats of all drafts since draft 7. Each check takes time linear in the length of the text. */
export const FORMATS: Formats = new Map([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['duration', matching(DURATION)],
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
  ['uri-template', matching(URI_TEMPLATE)],
  ['uuid', matching(UUID)],
  ['json-pointer', matching(JSON_POINTER)],
  ['relative-json-pointer', matching(RELATIVE_JSON_POINTER)],
  ['regex', isPattern],
]);

/** Formats of drafts 4 and 6. */
export const OLD_FORMATS: Formats = new Map([...FORMATS, ['hostname', isPlainHostName]]);

function matching(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/** Returns true for a pattern of ECMA-262, even if it cannot be matched in linear time. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
