import type { DetailedCell } from '../api/observe.js';
import { barsPath, type CallBars, callBarsOf, linePath, positionOf, type Span } from './chart-shapes.js';
import { type ClippedScale, clippedScale, type LogScale, logHeight, logScale } from './traffic-scale.js';

/** Shapes of a traffic chart, each in a box of 1 by 1. */
export interface TrafficShapes {
  readonly durations: LogScale;
  readonly p95: string;
  /** Area between p50 and p95. */
  readonly band: string;
  readonly calls: ClippedScale;
  readonly callBars: CallBars;
  /** Positions of the bars that are higher than the scale, from 0 to 1. */
  readonly clippedAt: readonly number[];
  readonly upstream: ClippedScale;
  readonly inFlightBars: string;
  readonly waitingBars: string;
  /** Times in which a circuit breaker was open or half open, from 0 to 1. */
  readonly breaker: readonly BreakerPart[];
}

/** A time in which a circuit breaker was not closed. */
interface BreakerPart {
  readonly at: number;
  readonly width: number;
  readonly state: 'open' | 'half-open';
}

interface Point {
  readonly at: number;
  readonly value: number;
}

/** Returns the shapes of a chart. */
export function trafficShapes(cells: readonly DetailedCell[], span: Span): TrafficShapes {
  const timed = cells.flatMap(({ at, p50Ms, p95Ms }) =>
    p50Ms === null || p95Ms === null ? [] : [{ at, p50Ms, p95Ms }],
  );
  const durations = logScale(timed.flatMap(({ p50Ms, p95Ms }) => [p50Ms, p95Ms]));
  const calls = clippedScale(cells.map((cell) => cell.calls));
  const upstream = clippedScale(cells.flatMap(({ maxInFlight, maxWaiting }) => [maxInFlight, maxWaiting]));
  const of = (name: 'maxInFlight' | 'maxWaiting'): readonly Point[] =>
    cells.map((cell) => ({ at: cell.at, value: cell[name] }));
  const heights = timed.map(({ at, p50Ms, p95Ms }) => ({
    at,
    low: logHeight(p50Ms, durations),
    high: logHeight(p95Ms, durations),
  }));
  return {
    durations,
    p95: linePath(
      heights.map(({ at, high }) => ({ at, value: high })),
      span,
      1,
    ),
    band: bandPath(heights, span),
    calls,
    callBars: callBarsOf(cells, span, calls.top),
    clippedAt: cells
      .filter((cell) => cell.calls > calls.top)
      .map(({ at }) => positionOf(at + span.cellMs / 2, span)),
    upstream,
    inFlightBars: barsPath(of('maxInFlight'), span, upstream.top),
    waitingBars: barsPath(of('maxWaiting'), span, upstream.top),
    breaker: cells.flatMap((cell) => breakerParts(cell, span)),
  };
}

/** Returns the area between two heights of each cell. */
function bandPath(
  points: readonly { readonly at: number; readonly low: number; readonly high: number }[],
  span: Span,
): string {
  const width = span.cellMs / (span.to - span.from);
  return points
    .map(({ at, low, high }) => {
      const top = round(1 - high);
      // A band of no height stays visible as a thin line.
      const bottom = round(Math.min(1, 1 - low + 0.01));
      return `M${round(positionOf(at, span))} ${top}h${round(width)}V${bottom}h-${round(width)}z`;
    })
    .join('');
}

function breakerParts(
  { at, openSeconds, halfOpenSeconds }: DetailedCell,
  span: Span,
): readonly BreakerPart[] {
  const state = openSeconds > 0 ? 'open' : 'half-open';
  if (openSeconds + halfOpenSeconds === 0) return [];
  return [{ at: positionOf(at, span), width: span.cellMs / (span.to - span.from), state }];
}

function round(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}
