import type { ReactNode } from 'react';
import { dateFormat } from '../text/locale.js';

const TIME_PARTS = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

/** A time (RFC 3339) in the time zone of the browser, with the zone; the original text on hover. */
export function TaskTime({ at }: { readonly at: string }): ReactNode {
  const time = new Date(at);
  return (
    <time dateTime={at} title={at}>
      {Number.isNaN(time.getTime()) ? at : dateFormat(TIME_PARTS).format(time)}
    </time>
  );
}
