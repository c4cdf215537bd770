import { type MouseEvent, type ReactNode, useMemo } from 'react';
import '../style/charts.css';
import type { TrafficCell } from '../api/observe.js';
import { textOf } from '../text/text.js';
import { cellAt, cellCount, heatPaths, type Span } from './chart-shapes.js';
import { formatCount, formatList } from './numbers.js';
import { describeCell, describeCells } from './traffic-text.js';

const text = textOf('traffic');

interface HeatStripProps {
  readonly cells: readonly TrafficCell[];
  readonly span: Span;
  /** Subject of the strip: "core1, the last 24 hours". */
  readonly label: string;
}

/**
 * Renders calls over time in one line: the height of a bar is the p95, its color shows failed calls. Screen
 * readers get a summary.
 */
export function HeatStrip({ cells, span, label }: HeatStripProps): ReactNode {
  const { none, rejected, some, many } = useMemo(() => heatPaths(cells, span), [cells, span]);
  const showCell = (event: MouseEvent<HTMLSpanElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const { at, cell } = cellAt(cells, span, (event.clientX - bounds.left) / bounds.width);
    event.currentTarget.title = describeCell(at, cell);
  };
  return (
    <span
      className="gh-heat"
      role="img"
      aria-label={`${label}: ${describeCells(cells)}`}
      onMouseMove={showCell}
    >
      <svg viewBox={`0 0 ${cellCount(span)} 1`} preserveAspectRatio="none" aria-hidden="true">
        <path className="gh-heat-none" d={none} />
        <path className="gh-heat-rejected" d={rejected} />
        <path className="gh-heat-some" d={some} />
        <path className="gh-heat-many" d={many} />
      </svg>
    </span>
  );
}

/** Explains the colors and heights of a {@link HeatStrip}. */
export function HeatLegend(): ReactNode {
  return (
    <p className="gh-legend gh-quiet">
      <span className="gh-key gh-key-none">{text('noErrors')}</span>
      <span className="gh-key gh-key-rejected">{text('heatRejected')}</span>
      <span className="gh-key gh-key-some">{text('heatSome')}</span>
      <span className="gh-key gh-key-many">{text('heatFailing')}</span>
      <span>{text('heightHelp')}</span>
    </p>
  );
}

interface ShareBarProps {
  readonly total: number;
  /** Segments of the bar, the longest first; `share` is relative to the width of the longest bar, 0 to 1. */
  readonly shares: readonly { readonly name: string; readonly count: number; readonly share: number }[];
}

export function ShareBar({ total, shares }: ShareBarProps): ReactNode {
  if (total === 0) return <span className="gh-quiet">{text('none')}</span>;
  const starts = shares.map((_share, at) => shares.slice(0, at).reduce((sum, { share }) => sum + share, 0));
  return (
    <div className="gh-share">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {shares.map(({ name, share }, at) => (
          <rect
            key={name}
            x={(starts[at] ?? 0) * 100}
            width={Math.max(share * 100 - 0.6, 0.8)}
            height="8"
            data-place={at % 5}
          />
        ))}
      </svg>
      <span>
        {formatCount(total)}{' '}
        <span className="gh-quiet">
          {formatList(shares.map(({ name, count }) => text('shareOf', { name, count: formatCount(count) })))}
        </span>
      </span>
    </div>
  );
}
