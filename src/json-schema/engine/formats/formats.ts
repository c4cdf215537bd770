import {
  isIdnMailAddress,
  isIpv4,
  isIpv6,
  isIri,
  isIriReference,
  isMailAddress,
  isUri,
  isUriReference,
} from './addresses.js';
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
