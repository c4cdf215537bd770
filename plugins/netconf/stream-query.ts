import { isXmlText } from '../../src/yang/encoding/write-xml.js';
import { parametersOf } from './query-parameters.js';
import { refused } from './replies.js';

/** Query parameters of an event stream (RFC 8040 sections 4.8.4, 4.8.7 and 4.8.8). */
export interface StreamQuery {
  /** XPath 1.0; names have the names of their modules as prefixes. */
  readonly filter?: string;
  readonly startTime?: string;
  readonly stopTime?: string;
  /** Interval of the updates of a datastore, in seconds (RFC 8641); absent: on change. */
  readonly periodSeconds?: number;
}

/** Format of date-and-time (RFC 6991). */
const DATE_AND_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const MAX_FILTER_LENGTH = 4096;
const MAX_PERIOD_SECONDS = 86_400;

/** Reads the query of a stream. Throws RestconfFault for an unknown parameter or value. */
export function readStreamQuery(query: string, isPush: boolean): StreamQuery {
  const names = isPush ? ['filter', 'stop-time', 'period'] : ['filter', 'start-time', 'stop-time'];
  const known = parametersOf(query, names);
  const [filter, startTime, stopTime, period] = ['filter', 'start-time', 'stop-time', 'period'].map((name) =>
    known.get(name),
  );
  if (
    filter !== undefined &&
    (filter.trim() === '' || filter.length > MAX_FILTER_LENGTH || !isXmlText(filter))
  )
    throw invalid('filter', `is an XPath expression of up to ${MAX_FILTER_LENGTH} characters`);
  requireTimes(startTime, stopTime, isPush);
  return {
    ...(filter !== undefined && { filter }),
    ...(startTime !== undefined && { startTime }),
    ...(stopTime !== undefined && { stopTime }),
    ...(period !== undefined && { periodSeconds: secondsOf(period) }),
  };
}

function requireTimes(startTime: string | undefined, stopTime: string | undefined, isPush: boolean): void {
  for (const [name, time] of [
    ['start-time', startTime],
    ['stop-time', stopTime],
  ] as const)
    if (time !== undefined && (!DATE_AND_TIME.test(time) || Number.isNaN(Date.parse(time))))
      throw invalid(name, 'is a time such as 2026-01-31T12:00:00Z');
  if (stopTime === undefined || isPush) return;
  if (startTime === undefined) throw invalid('stop-time', 'needs "start-time"');
  if (Date.parse(stopTime) <= Date.parse(startTime)) throw invalid('stop-time', 'must be after "start-time"');
}

function secondsOf(text: string): number {
  const seconds = /^\d{1,5}(?:\.\d{1,2})?$/.test(text) ? Number(text) : 0;
  if (seconds <= 0 || seconds > MAX_PERIOD_SECONDS)
    throw invalid('period', `is a number of seconds up to ${MAX_PERIOD_SECONDS}`);
  return seconds;
}

function invalid(name: string, rule: string) {
  return refused(400, 'invalid-value', `the query parameter "${name}" ${rule}`);
}
