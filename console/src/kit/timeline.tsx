import { type MouseEvent, type ReactNode, useMemo, useState } from 'react';
import '../style/charts.css';
import type { TrafficCell, Mark } from '../api/observe.js';
import {
  barsPath,
  cellAt,
  formatCell,
  formatClock,
  linePath,
  niceTop,
  positionOf,
  type Span,
  summarizeCells,
} from './chart-shapes.js';
import { formatCount, formatDuration } from './numbers.js';

export interface TimelineProps {
  readonly cells: readonly TrafficCell[];
  readonly marks: readonly Mark[];
  readonly span: Span;
  readonly label: string;
}

/** Marks for faults; all other marks are for operations. */
const BAD_MARKS: readonly Mark['kind'][] = ['broken', 'offline', 'breaker-open'];

/** Renders a chart of p50 and p95 over time, with calls and errors below, and events as vertical lines. */
export function Timeline({ cells, marks, span, label }: TimelineProps): ReactNode {
  const [cursor, setPlace] = useState<number>();
  const shapes = useMemo(() => shapesOf(cells, span), [cells, span]);
  const moveCursor = (event: MouseEvent<HTMLDivElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    setPlace((event.clientX - bounds.left) / bounds.width);
  };
  const cellAtCursor = cursor === undefined ? undefined : cellAt(cells, span, cursor);
  return (
    <figure className="gh-timeline" role="img" aria-label={`${label}: ${summarizeCells(cells)}`}>
      <div className="gh-timeline-plot" onMouseMove={moveCursor} onMouseLeave={() => setPlace(undefined)}>
        <span className="gh-timeline-top">{formatDuration(shapes.slowest)}</span>
        <span className="gh-timeline-half">{formatDuration(shapes.slowest / 2)}</span>
        <span className="gh-timeline-calls">{formatCount(shapes.busiest)} calls</span>
        <svg className="gh-timeline-latency" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <path className="gh-grid" d="M0 0H1M0 0.5H1M0 1H1" />
          <path className="gh-line-p50" d={shapes.p50} />
          <path className="gh-line-p95" d={shapes.p95} />
        </svg>
        <svg className="gh-timeline-bars" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <path className="gh-bar-calls" d={shapes.calls} />
          <path className="gh-bar-errors" d={shapes.errors} />
        </svg>
        {marks.map((mark, index) => (
          <span
            key={`${mark.at} ${index}`}
            className="gh-mark"
            data-bad={BAD_MARKS.includes(mark.kind)}
            style={{ insetInlineStart: `${positionOf(mark.at, span) * 100}%` }}
          />
        ))}
        {cursor !== undefined && (
          <span className="gh-cursor" style={{ insetInlineStart: `${cursor * 100}%` }} />
        )}
      </div>
      <Axis span={span} />
      <figcaption className="gh-legend gh-quiet">
        {cellAtCursor ? (
          <span>{formatCell(cellAtCursor.at, cellAtCursor.cell)}</span>
        ) : (
          <>
            <span className="gh-key gh-key-p95">p95</span>
            <span className="gh-key gh-key-p50">p50</span>
            <span className="gh-key gh-key-calls">calls</span>
            <span className="gh-key gh-key-many">errors</span>
            <span className="gh-key gh-key-mark">events</span>
          </>
        )}
      </figcaption>
    </figure>
  );
}

function shapesOf(cells: readonly TrafficCell[], span: Span) {
  const of = (name: 'p50Ms' | 'p95Ms' | 'calls' | 'errors') =>
    cells.map((cell) => ({ at: cell.at, value: cell[name] }));
  const slowest = niceTop(Math.max(1, ...cells.map(({ p95Ms }) => p95Ms)));
  const busiest = niceTop(Math.max(1, ...cells.map(({ calls }) => calls)));
  return {
    slowest,
    busiest,
    p50: linePath(of('p50Ms'), span, slowest),
    p95: linePath(of('p95Ms'), span, slowest),
    calls: barsPath(of('calls'), span, busiest),
    errors: barsPath(of('errors'), span, busiest),
  };
}

/** Renders the time axis with five evenly spaced times. */
function Axis({ span: { from, to } }: { readonly span: Span }): ReactNode {
  return (
    <div className="gh-axis gh-quiet" aria-hidden="true">
      {[0, 0.25, 0.5, 0.75, 1].map((part) => (
        <span key={part}>{formatClock(from + (to - from) * part)}</span>
      ))}
    </div>
  );
}
