import type { TrafficCell, TrafficReply } from '../api/observe.js';

/**
 * The time range of a chart: from and to in milliseconds since 1970, and the length of a cell in
 * milliseconds.
 */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly cellMs: number;
}

/** Share of failed calls in a cell; `rejected` if few calls failed, but many ended with a status of 400 to 499. */
type ErrorShare = 'none' | 'rejected' | 'some' | 'many';

/** Share of errors from which a cell counts as failed. */
const MANY_ERRORS_SHARE = 0.2;

/** Share of rejected calls from which they are shown. */
const MANY_REJECTED_SHARE = 0.2;

/** Numbers of calls, and of those that failed or were rejected. */
type CallCounts = Pick<TrafficCell, 'calls' | 'errors' | 'clientErrors'>;

/** Calls of a cell that starts at `at`. */
export type CallCell = Pick<TrafficCell, 'at'> & CallCounts;

export function errorShareOf({ calls, errors, clientErrors }: CallCounts): ErrorShare {
  const share = errors / Math.max(calls, 1);
  if (share >= MANY_ERRORS_SHARE) return 'many';
  if (clientErrors / Math.max(calls, 1) >= MANY_REJECTED_SHARE) return 'rejected';
  return errors === 0 ? 'none' : 'some';
}

export function cellCount({ from, to, cellMs }: Span): number {
  return Math.max(1, Math.ceil((to - from) / cellMs));
}

/** Returns the position of a time in a range, from 0 to 1. */
export function positionOf(at: number, { from, to }: Span): number {
  return Math.min(1, Math.max(0, (at - from) / Math.max(to - from, 1)));
}

/**
 * Returns the bars of a heat strip as one SVG path for each share of errors. Each cell is one unit wide; the
 * strip is one unit high. The height of a bar is its p95 on a logarithmic scale; a bar with many failed calls
 * has full height.
 */
export function heatPaths(cells: readonly TrafficCell[], span: Span): Readonly<Record<ErrorShare, string>> {
  const paths: Record<ErrorShare, string> = { none: '', rejected: '', some: '', many: '' };
  const last = cellCount(span) - 1;
  for (const cell of cells) {
    const x = Math.floor((cell.at - span.from) / span.cellMs);
    if (x < 0 || x > last) continue;
    const fault = errorShareOf(cell);
    const height = fault === 'many' ? 1 : heightOf(cell.p95Ms ?? 0);
    paths[fault] += `M${x} ${round(1 - height)}h1V1h-1z`;
  }
  return paths;
}

/** Returns the height of a bar: 10 ms and less is the lowest, 10 s and more the highest. */
function heightOf(p95Ms: number): number {
  const decades = Math.log10(Math.max(p95Ms, 10)) - 1;
  return 0.2 + 0.8 * Math.min(decades / 3, 1);
}

/** Returns a line through values from 0 to `top`, in a box of 1 by 1; missing cells interrupt it. */
export function linePath(
  points: readonly { readonly at: number; readonly value: number }[],
  span: Span,
  top: number,
): string {
  const [wide, width] = [span.to - span.from, span.cellMs];
  return points
    .map(({ at, value }, index) => {
      const before = points[index - 1];
      const isNext = before !== undefined && at - before.at <= width * 1.5;
      const y = round(1 - Math.min(value / top, 1));
      const from = round((at - span.from) / wide);
      const to = round((at + width - span.from) / wide);
      return `${isNext ? 'L' : 'M'}${from} ${y}L${to} ${y}`;
    })
    .join('');
}

/** Returns bars of values from 0 to `top` in a box of 1 by 1; higher values fill the height. */
export function barsPath(
  points: readonly { readonly at: number; readonly value: number }[],
  span: Span,
  top: number,
): string {
  const width = span.cellMs / (span.to - span.from);
  return points
    .filter(({ value }) => value > 0)
    .map(({ at, value }) => {
      const height = round(Math.min(1, Math.max(value / top, 0.04)));
      return `M${round(positionOf(at, span))} ${round(1 - height)}h${round(width * 0.8)}V1h-${round(width * 0.8)}z`;
    })
    .join('');
}

/** Bars of calls, with their rejected and failed parts at the bottom. */
export interface CallBars {
  readonly calls: string;
  readonly rejected: string;
  readonly errors: string;
}

/** Returns the bars of the calls of each cell. The failed calls are drawn over the rejected calls. */
export function callBarsOf(cells: readonly CallCell[], span: Span, top: number): CallBars {
  const bars = (valueOf: (cell: CallCell) => number) =>
    barsPath(
      cells.map((cell) => ({ at: cell.at, value: valueOf(cell) })),
      span,
      top,
    );
  return {
    calls: bars(({ calls }) => calls),
    rejected: bars(({ errors, clientErrors }) => (clientErrors === 0 ? 0 : errors + clientErrors)),
    errors: bars(({ errors }) => errors),
  };
}

function round(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}

/** Returns the smallest number of the series 1, 2, 5, 10, 20, ... that is not below the value. */
export function niceTop(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((step) => step * decade).find((step) => step >= value) ?? value;
}

/** Returns the cell at a position of a chart (0 to 1), or only its time if there were no calls. */
export function cellAt(
  cells: readonly TrafficCell[],
  span: Span,
  position: number,
): { readonly at: number; readonly cell: TrafficCell | undefined } {
  const index = Math.min(Math.floor(position * cellCount(span)), cellCount(span) - 1);
  const at = span.from + Math.max(index, 0) * span.cellMs;
  return { at, cell: cells.find((one) => one.at >= at && one.at < at + span.cellMs) };
}

/** Returns the sum of calls, errors or rejected calls in all cells. */
export function sumOf(cells: readonly CallCounts[], key: keyof CallCounts): number {
  return cells.reduce((sum, cell) => sum + cell[key], 0);
}

/** Returns the time range of the cells of a `/console/traffic` reply. */
export function spanOf({ from, to, cellSeconds }: TrafficTime): Span {
  return wholeCells(from, to, cellSeconds);
}

/** Returns the time range of the cells of the adapters in the list of a `/console/traffic` reply. */
export function columnSpanOf({ from, to, columnSeconds }: Omit<TrafficTime, 'cellSeconds'>): Span {
  return wholeCells(from, to, columnSeconds);
}

type TrafficTime = Pick<TrafficReply, 'from' | 'to' | 'cellSeconds' | 'columnSeconds'>;

function wholeCells(from: number, to: number, seconds: number): Span {
  const cellMs = seconds * 1000;
  return { from: Math.floor(from / cellMs) * cellMs, to: Math.ceil(to / cellMs) * cellMs, cellMs };
}
