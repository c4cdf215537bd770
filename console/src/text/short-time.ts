import { dateFormat } from './locale.js';

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
