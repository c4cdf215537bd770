import type { ReactNode } from 'react';
import { dateFormat, relativeFormat } from '../text/locale.js';
import { useNow } from '../text/use-now.js';
import { text } from './kit-text.js';

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

interface TimeProps {
  /** Milliseconds since 1970, or a date as text; absent for what has not happened. */
  readonly at: number | string | null | undefined;
  /**
   * `ago`: "5 min. ago", for states and lists of things. `clock`: "09:02:11", with the date unless it is today, for lists of events.
   * `both`: the whole time and how long ago it is, for details.
   */
  readonly show?: 'ago' | 'clock' | 'both';
}

/** Renders a time, in lists on one line, with the whole time and its zone on hover. */
export function Time({ at, show = 'ago' }: TimeProps): ReactNode {
  if (at === null || at === undefined || at === '') return <span className="gh-quiet">{text('never')}</span>;
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return <span>{String(at)}</span>;
  return (
    <time data-show={show} dateTime={time.toISOString()} title={formatTime(time)}>
      {show === 'clock' ? clockOf(time) : <Ago time={time} isWhole={show === 'both'} />}
    </time>
  );
}

function Ago({ time, isWhole }: { readonly time: Date; readonly isWhole: boolean }): ReactNode {
  const ago = agoOf(time.getTime(), useNow(10_000));
  return isWhole ? text('timeAgo', { time: formatTime(time), ago }) : ago;
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

const TIME_OF_DAY = { hour: 'numeric', minute: '2-digit', second: '2-digit' } as const;

function clockOf(time: Date): string {
  const isToday = time.toDateString() === new Date().toDateString();
  const parts = isToday ? TIME_OF_DAY : ({ month: 'short', day: 'numeric', ...TIME_OF_DAY } as const);
  return dateFormat(parts).format(time);
}
