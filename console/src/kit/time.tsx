import type { ReactNode } from 'react';
import { dateFormat, relativeFormat } from '../text/locale.js';
import { textOf } from '../text/text.js';
import { useNow } from '../text/use-now.js';

const text = textOf('kit');

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/**
 * Renders a relative time ("5 min. ago"), with the exact time and its zone on hover. `at` is in milliseconds
 * since 1970, or a date as text.
 */
export function Ago({ at }: { readonly at: number | string | null | undefined }): ReactNode {
  const now = useNow(10_000);
  if (at === null || at === undefined || at === '') return <span className="gh-quiet">{text('never')}</span>;
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={time.toISOString()} title={formatTime(time)}>
      {agoOf(time.getTime(), now)}
    </time>
  );
}

function agoOf(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  if (Math.abs(seconds) < 5) return text('now');
  const [unit, size] = STEPS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
  return relativeFormat({ numeric: 'auto', style: 'short' }).format(Math.trunc(seconds / size), unit);
}

/** Formats a time with date, seconds and zone in the locale of the user: `Nov 25, 2026, 12:03:07 PM GMT+1`. */
export function formatTime(at: number | string | Date): string {
  return dateFormat({ ...FULL_DATE, timeZoneName: 'short' }).format(new Date(at));
}

const FULL_DATE = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
} as const;

/** Renders an absolute time in the locale of the user. */
export function At({ at }: { readonly at: number | string }): ReactNode {
  const time = new Date(at);
  return <time dateTime={time.toISOString()}>{formatTime(time)}</time>;
}

const TIME_OF_DAY = { hour: 'numeric', minute: '2-digit', second: '2-digit' } as const;

/** Renders a time in a list: the time of today without its date, and the whole time on hover and in print. */
export function ListTime({ at }: { readonly at: number | string }): ReactNode {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  const parts = isToday ? TIME_OF_DAY : ({ month: 'short', day: 'numeric', ...TIME_OF_DAY } as const);
  return (
    <time dateTime={time.toISOString()} title={formatTime(time)}>
      {dateFormat(parts).format(time)}
    </time>
  );
}
