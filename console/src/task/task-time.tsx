import type { ReactNode } from 'react';

const SHOWN = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** A time (RFC 3339) in the reader's time zone, with the zone; the original text on hover. */
export function TaskTime({ at }: { readonly at: string }): ReactNode {
  const time = new Date(at);
  return (
    <time dateTime={at} title={at}>
      {Number.isNaN(time.getTime()) ? at : SHOWN.format(time)}
    </time>
  );
}
