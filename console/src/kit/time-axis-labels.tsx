import type { ReactNode } from 'react';
import '../style/traffic.css';
import { positionOf, type Span } from './chart-shapes.js';
import { formatTick, timeTicks } from './time-axis.js';

/** Maximum number of times on an axis. */
const MAX_TICKS = 8;

/** Renders the times below a chart; small screens omit every second time. */
export function TimeAxis({ span }: { readonly span: Span }): ReactNode {
  return (
    <div className="gh-time-axis gh-quiet" aria-hidden="true">
      {timeTicks(span, MAX_TICKS).map((tick) => (
        <Tick key={tick.at} position={positionOf(tick.at, span)}>
          {formatTick(tick)}
        </Tick>
      ))}
    </div>
  );
}

/** Position from which a label is on the other side of its line, so that the edge does not cut it. */
const END_POSITION = 0.9;

function Tick({ position, children }: { readonly position: number; readonly children: string }): ReactNode {
  const isEnd = position > END_POSITION;
  return (
    <span
      data-end={isEnd}
      style={
        isEnd ? { insetInlineEnd: `${(1 - position) * 100}%` } : { insetInlineStart: `${position * 100}%` }
      }
    >
      {children}
    </span>
  );
}
