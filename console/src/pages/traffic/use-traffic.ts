import type { TrafficReply } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { SPAN_MS, type SpanName, SPANS, timeQuery, type TimeSpan } from '../../kit/time-range.js';
import { useTimeSpan } from '../../kit/time-span.js';
import { pathOfAdapter } from '../adapters/adapter-path.js';
import { AUDIT_PATH } from '../audit/search.js';

/** Interval between reads, in milliseconds. */
const TRAFFIC_INTERVAL_MS = 30_000;

/** Traffic of the time that the pages show. */
export interface Traffic {
  readonly time: ReturnType<typeof useTimeSpan>;
  /** Traffic of the selected part of the time, or of all of it. */
  readonly shown: ReturnType<typeof useRead<TrafficReply>>;
  /** Traffic of the whole time span, for the strip; without a list of adapters. */
  readonly whole: ReturnType<typeof useRead<TrafficReply>>;
}

/**
 * Reads the traffic of the time that the pages show; of one adapter, or of all with a list of `limit` adapters. While
 * the traffic of another time is read, the previous one stays visible.
 */
export function useTraffic({
  adapter,
  limit,
}: { readonly adapter?: string; readonly limit?: number } = {}): Traffic {
  const enabled = useSession().may('getTraffic');
  const time = useTimeSpan();
  const { query } = time;
  const subject = { ...(adapter !== undefined && { adapter }), ...(limit !== undefined && { limit }) };
  const isSimilar = (path: string): boolean => adapterIn(path) === (adapter ?? null);
  const options = { everyMs: TRAFFIC_INTERVAL_MS, enabled, isSimilar };
  const shown = useRead<TrafficReply>(pathOf(['console', 'traffic'], { ...query, ...subject }), options);
  const span = stripSpanOf(time, Date.now());
  const whole = useRead<TrafficReply>(
    pathOf(['console', 'traffic'], { span, ...(adapter === undefined ? { limit: 0 } : { adapter }) }),
    options,
  );
  return { time, shown, whole };
}

function adapterIn(path: string): string | null {
  return new URLSearchParams(path.slice(path.indexOf('?'))).get('adapter');
}

/** Returns the span of the strip: the chosen one, or a longer one that contains the selected part. */
export function stripSpanOf({ span, selected }: Pick<TimeSpan, 'span' | 'selected'>, now: number): SpanName {
  if (!selected || selected.from >= now - SPAN_MS[span]) return span;
  return SPANS.find((name) => selected.from >= now - SPAN_MS[name]) ?? '7d';
}

/** Returns the page with the calls of an adapter in a time: its path below /ui. */
export function callsPath(adapter: string, from: number, lengthMs: number): string {
  return `${pathOfAdapter(adapter)}?tab=calls&${timeQuery({ from, to: from + lengthMs })}`;
}

/** Returns the page with the audit records of a time: its path below /ui. */
export function auditPath(from: number, lengthMs: number): string {
  return `${AUDIT_PATH}?${timeQuery({ from, to: from + lengthMs })}`;
}
