import type { ReactNode } from 'react';

const TIME_FORMAT = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** A time (RFC 3339) in the time zone of the browser, with the zone; the original text on hover. */
export function TaskTime({ at }: { readonly at: string }): ReactNode {
  const time = new Date(at);
  return (
    <time dateTime={at} title={at}>
      {Number.isNaN(time.getTime()) ? at : TIME_FORMAT.format(time)}
    </time>
  );
}
