const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;
const MINUTES_OF_DAY = 1440;

/** True for a date that there was or will be (RFC 3339, `full-date`). */
export function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = (DATE.exec(text) ?? []).slice(1).map(Number);
  if (month < 1 || month > 12 || day < 1) return false;
  // The day before the first of the next month; the years before 100 are not those of the last century.
  const last = new Date(Date.UTC(2000, month, 0));
  last.setUTCFullYear(year, month, 0);
  return day <= last.getUTCDate();
}

/** True for a time with its offset (RFC 3339, `full-time`); a leap second stands at the end of a day in UTC. */
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

/** A group of digits that did not take part is undefined. */
function orZero(digits: string | undefined): number {
  return Number(digits ?? 0);
}

/** True for a date and a time (RFC 3339, `date-time`). */
export function isDateTime(text: string): boolean {
  return /t/i.test(text[10] ?? '') && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

const DAYS = '\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D';
const SECONDS = 'T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)';

/** A duration (RFC 3339 appendix A): no unit is left out between two others. */
export const DURATION = new RegExp(`^P(?:\\d+W|(?:${DAYS})(?:${SECONDS})?|${SECONDS})$`);
