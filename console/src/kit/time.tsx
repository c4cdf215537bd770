import { type ReactNode, useEffect, useState } from 'react';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

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
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 10_000);
    return () => window.clearInterval(timer);
  }, []);
  if (at === null || at === undefined || at === '') return <span className="gh-quiet">never</span>;
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={time.toISOString()} title={time.toISOString()}>
      {agoOf(time.getTime(), now)}
    </time>
  );
}

function agoOf(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  if (Math.abs(seconds) < 5) return 'now';
  const [unit, size] = STEPS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}
