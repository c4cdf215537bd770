import { dateFormat, numberFormat } from './locale.js';
import { textOf } from './text.js';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a length of time in its largest whole unit, in the language of the user: `42 sec`, `7 min`, `3 hr`, `2 days`. */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? (['second', 1] as const);
  return numberFormat({ style: 'unit', unit, unitDisplay: 'short' }).format(Math.floor(seconds / size));
}

/** Formats the time of day with seconds: `00:47:12`. */
export function formatClockTime(at: number | Date): string {
  return dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(at);
}

/** Formats the time of day, with the date if it is another day than `now`: `00:47`, `Nov 26, 00:47`. */
export function formatTimeOfDay(at: number, now = Date.now()): string {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date(now).toDateString();
  const day = isToday ? {} : ({ month: 'short', day: 'numeric' } as const);
  return dateFormat({ ...day, hour: '2-digit', minute: '2-digit' }).format(time);
}

const TIME_PARTS = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

/** Returns a time (RFC 3339) to the minute, in the time zone of the browser, with the zone. */
export function shortTime(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : dateFormat(TIME_PARTS).format(time);
}

/** Formats seconds as minutes and seconds: `4:59`. */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const text = textOf('task');

/** Returns how far a deadline (RFC 3339) is: `due in 2 hr` or `overdue by 3 days`. `now` is in milliseconds since 1970. */
export function dueText(due: string, now: number): string {
  const left = Date.parse(due) - now;
  return left < 0
    ? text('overdueBy', { span: formatSpan(-left) })
    : text('dueIn', { span: formatSpan(left) });
}
