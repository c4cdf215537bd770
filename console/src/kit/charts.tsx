import { type MouseEvent, type ReactNode, useMemo } from 'react';
import '../style/charts.css';
import type { TrafficCell } from '../api/observe.js';
import { cellAt, cellCount, cellWords, heatPaths, type Span, stripWords } from './chart-shapes.js';

export interface HeatStripProps {
  readonly cells: readonly TrafficCell[];
  readonly span: Span;
  /** Subject of the strip: "core1, the last 24 hours". */
  readonly label: string;
}

/**
 * Calls over time in one line: the height of a bar is the p95, its color shows failed calls. Screen readers
 * get a summary.
 */
export function HeatStrip({ cells, span, label }: HeatStripProps): ReactNode {
  const { none, some, many } = useMemo(() => heatPaths(cells, span), [cells, span]);
  const tell = (event: MouseEvent<HTMLSpanElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const { at, cell } = cellAt(cells, span, (event.clientX - box.left) / box.width);
    event.currentTarget.title = cellWords(at, cell);
  };
  return (
    <span className="gh-heat" role="img" aria-label={`${label}: ${stripWords(cells)}`} onMouseMove={tell}>
      <svg viewBox={`0 0 ${cellCount(span)} 1`} preserveAspectRatio="none" aria-hidden="true">
        <path className="gh-heat-none" d={none} />
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
      <span className="gh-key gh-key-none">no errors</span>
      <span className="gh-key gh-key-some">some errors</span>
      <span className="gh-key gh-key-many">20 % errors or more (full height)</span>
      <span>Each bar is five minutes; its height shows the p95 (10 ms to 10 s).</span>
    </p>
  );
}
