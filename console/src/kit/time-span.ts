import { useCallback, useEffect, useMemo } from 'react';
import {
  NO_TIME,
  rfc3339,
  type SpanName,
  type TimeRange,
  type TimeSpan,
  timeSpanOf,
  type UrlTime,
} from './time-range.js';
import { useUrlState } from './url-state.js';

export { timeQuery } from './time-range.js';
export type { TimeRange, TimeSpan } from './time-range.js';

/** Start and end of a time as in the URL, in RFC 3339; each may be empty. */
type TimeBounds = Pick<UrlTime, 'from' | 'to'>;

/** Functions that change the time that the pages show. */
export interface TimeSpanActions {
  /** Shows the time until now, and drops the selected part. */
  readonly show: (span: SpanName) => void;
  readonly select: (range: TimeRange) => void;
  /** Selects a time whose start or end may be missing, for pages that are not limited to a span. */
  readonly choose: (bounds: TimeBounds) => void;
  /** Drops the selected part. */
  readonly reset: () => void;
}

/** Time span of the page before, which a page takes over if its URL names none. */
let latest: UrlTime = NO_TIME;

/**
 * Returns the time that the pages show. It is in the URL (`span`, `from`, `to`), and a page whose URL does not
 * name it takes it over from the page before.
 */
export function useTimeSpan(): TimeSpan & TimeSpanActions & { readonly bounds: TimeBounds } {
  const [url, setUrl] = useUrlState(NO_TIME);
  const isNamed = isNamedIn(url);
  const isTakenOver = !isNamed && latest !== NO_TIME;
  useEffect(() => {
    if (isTakenOver) setUrl(latest);
    else latest = isNamed ? url : NO_TIME;
  }, [isNamed, isTakenOver, setUrl, url]);
  const change = useCallback(
    (next: UrlTime) => {
      latest = isNamedIn(next) ? next : NO_TIME;
      setUrl(next);
    },
    [setUrl],
  );
  const current = isTakenOver ? latest : url;
  const timeSpan = useMemo(() => timeSpanOf(current), [current]);
  return {
    ...timeSpan,
    bounds: { from: current.from, to: current.to },
    show: (span) => change({ span, from: '', to: '' }),
    select: ({ from, to }) =>
      change({ span: timeSpan.span, from: rfc3339(Math.floor(from)), to: rfc3339(Math.ceil(to)) }),
    choose: (bounds) => change({ span: timeSpan.span, ...bounds }),
    reset: () => change({ span: timeSpan.span, from: '', to: '' }),
  };
}

function isNamedIn({ span, from, to }: UrlTime): boolean {
  return span !== NO_TIME.span || from !== '' || to !== '';
}
