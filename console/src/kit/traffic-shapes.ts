import type { DetailedCell } from '../api/observe.js';
import {
  barsPath,
  type CallBars,
  callBarsOf,
  linePath,
  niceTop,
  positionOf,
  type Span,
} from './chart-shapes.js';

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

/** Scale of an axis: values above `top` are drawn at the top, with a mark. */
interface ClippedScale {
  readonly top: number;
  readonly isClipped: boolean;
}

/** Part of the values that a clipped scale shows in full. */
const SHOWN_PART = 0.95;
/** A scale is clipped if the highest value is this many times the highest value that is shown in full. */
const SPIKE_FACTOR = 4;

/** Returns the scale of values from 0. A few spikes do not flatten all other values. */
export function clippedScale(values: readonly number[]): ClippedScale {
  const sorted = values.filter((value) => value > 0).sort((one, other) => one - other);
  const highest = sorted.at(-1) ?? 1;
  const usual = sorted[Math.max(0, Math.ceil(sorted.length * SHOWN_PART) - 1)] ?? 1;
  if (highest <= usual * SPIKE_FACTOR) return { top: niceTop(highest), isClipped: false };
  return { top: niceTop(usual * 1.5), isClipped: true };
}

/** Logarithmic scale of durations, in whole decades. */
interface LogScale {
  readonly low: number;
  readonly high: number;
  /** Lines of the scale, the lowest first. */
  readonly lines: readonly number[];
}

/** Returns the decades that contain all durations; one millisecond is the lowest. */
export function logScale(durations: readonly number[]): LogScale {
  const known = durations.map((ms) => Math.max(ms, 1));
  const low = 10 ** Math.floor(Math.log10(Math.min(...known, 10)));
  const high = Math.max(low * 10, 10 ** Math.ceil(Math.log10(Math.max(...known, 1))));
  const decades = Math.round(Math.log10(high / low));
  return { low, high, lines: Array.from({ length: decades + 1 }, (_line, index) => low * 10 ** index) };
}

/** Returns the height of a duration on a scale, from 0 to 1. */
export function logHeight(ms: number, { low, high }: LogScale): number {
  const part = Math.log10(Math.max(ms, low) / low) / Math.log10(high / low);
  return Math.min(1, Math.max(0, part));
}
