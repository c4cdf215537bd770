import type { ReactNode } from 'react';
import { shortTime } from '../text/short-time.js';

/** A time (RFC 3339) in the time zone of the browser, with the zone; the original text on hover. */
export function TaskTime({ at }: { readonly at: string }): ReactNode {
  return (
    <time dateTime={at} title={at}>
      {shortTime(at)}
    </time>
  );
}
