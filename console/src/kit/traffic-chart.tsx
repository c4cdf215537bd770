import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import '../style/charts.css';
import '../style/traffic.css';
import type { DetailedCell, Mark } from '../api/observe.js';
import { textOf } from '../text/text.js';
import { CallBarPaths } from './call-bars.js';
import { positionOf, type Span } from './chart-shapes.js';
import { formatCount, formatDuration } from './numbers.js';
import { TimeAxis } from './time-axis-labels.js';
import { type TrafficShapes, trafficShapes } from './traffic-shapes.js';
import { describeCell, describeCells } from './traffic-text.js';

const text = textOf('traffic');

interface TrafficChartProps {
  readonly cells: readonly DetailedCell[];
  readonly marks: readonly Mark[];
  readonly span: Span;
  /** Subject and time of the chart, for screen readers: "core1, last hour". */
  readonly label: string;
  /** Returns the page with the calls of a cell: its path below /ui. */
  readonly pathOf: (cell: DetailedCell) => string;
  readonly hint: string;
}

/** Marks of faults; all other marks are of operations. */
const BAD_MARKS: readonly Mark['kind'][] = [
  ...(['broken', 'offline', 'login-refused', 'secret-refused', 'breaker-open'] as const),
];

/**
 * Renders response times, calls and errors, the queue and the circuit breaker on one time axis. Each cell with
 * calls is a link; the arrow keys move between the cells.
 */
export function TrafficChart({ cells, marks, span, label, pathOf, hint }: TrafficChartProps): ReactNode {
  const [shown, setShown] = useState('');
  const shapes = useMemo(() => trafficShapes(cells, span), [cells, span]);
  if (cells.length === 0) return <p className="gh-chart-empty gh-quiet">{text('noCallsInTime')}</p>;
  return (
    <figure className="gh-chart" aria-label={`${label}: ${describeCells(cells)}`}>
      <div className="gh-chart-plot">
        <Durations shapes={shapes} />
        <Calls shapes={shapes} />
        <Upstream shapes={shapes} cells={cells} />
        {marks.map(({ at, kind, text: title }, index) => (
          <span
            key={`${at} ${index}`}
            className="gh-chart-mark"
            data-bad={BAD_MARKS.includes(kind)}
            title={title}
            style={{ insetInlineStart: `${positionOf(at, span) * 100}%` }}
          />
        ))}
        <CellLinks cells={cells} marks={marks} span={span} pathOf={pathOf} onShow={setShown} />
      </div>
      <TimeAxis span={span} />
      <figcaption className="gh-legend gh-quiet">
        {shown === '' ? <Legend shapes={shapes} marks={marks} hint={hint} /> : <span>{shown}</span>}
      </figcaption>
    </figure>
  );
}

function Durations({ shapes: { durations, band, p95 } }: { readonly shapes: TrafficShapes }): ReactNode {
  const { lines } = durations;
  return (
    <div className="gh-chart-panel gh-chart-durations">
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        <path
          className="gh-grid"
          d={lines.map((_line, index) => `M0 ${index / (lines.length - 1)}H1`).join('')}
        />
        <path className="gh-chart-band" d={band} />
        <path className="gh-line-p95" d={p95} />
      </svg>
      {lines.slice(1).map((ms, index) => (
        <span
          key={ms}
          className="gh-chart-value"
          style={{ insetBlockEnd: `${((index + 1) / (lines.length - 1)) * 100}%` }}
        >
          {formatDuration(ms)}
        </span>
      ))}
    </div>
  );
}

function Calls({ shapes }: { readonly shapes: TrafficShapes }): ReactNode {
  const { calls, callBars, clippedAt } = shapes;
  return (
    <div className="gh-chart-panel gh-chart-calls">
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        <path className="gh-grid" d="M0 0H1M0 1H1" />
        <CallBarPaths bars={callBars} />
      </svg>
      <span className="gh-chart-value" data-at="top">
        {text('calls', { count: calls.top })}
      </span>
      {clippedAt.map((at) => (
        <span
          key={at}
          className="gh-chart-clipped"
          aria-hidden="true"
          style={{ insetInlineStart: `${at * 100}%` }}
        >
          ▲
        </span>
      ))}
    </div>
  );
}

/** Renders the queue and the circuit breaker; nothing if both were idle all the time. */
function Upstream({
  shapes: { upstream, inFlightBars, waitingBars, breaker },
  cells,
}: {
  readonly shapes: TrafficShapes;
  readonly cells: readonly DetailedCell[];
}): ReactNode {
  const isUsed = cells.some(({ maxInFlight, maxWaiting }) => maxInFlight + maxWaiting > 0);
  return (
    <>
      {isUsed && (
        <div className="gh-chart-panel gh-chart-upstream">
          <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
            <path className="gh-grid" d="M0 0H1M0 1H1" />
            <path className="gh-bar-in-flight" d={inFlightBars} />
            <path className="gh-bar-waiting" d={waitingBars} />
          </svg>
          <span className="gh-chart-value" data-at="top">
            {formatCount(upstream.top)}
          </span>
        </div>
      )}
      {breaker.length > 0 && (
        <div className="gh-chart-breaker">
          {breaker.map(({ at, width, state }) => (
            <span
              key={at}
              data-state={state}
              style={{ insetInlineStart: `${at * 100}%`, inlineSize: `${width * 100}%` }}
            />
          ))}
        </div>
      )}
    </>
  );
}

interface CellLinksProps extends Pick<TrafficChartProps, 'cells' | 'marks' | 'span' | 'pathOf'> {
  /** Shows the description of a cell; of none if it is empty. */
  readonly onShow: (description: string) => void;
}

/** Renders a link over each cell. Only one of them is a tab stop. */
function CellLinks({ cells, marks, span, pathOf, onShow }: CellLinksProps): ReactNode {
  const [current, setCurrent] = useState<number>();
  const width = `${(span.cellMs / (span.to - span.from)) * 100}%`;
  const tabStop = cells.some(({ at }) => at === current) ? current : cells.at(-1)?.at;
  // The links cover the marks, so that the description of a cell has the events of its time.
  const descriptionOf = (cell: DetailedCell): string =>
    describeCell(
      cell.at,
      cell,
      marks.filter(({ at }) => at >= cell.at && at < cell.at + span.cellMs),
    );
  const show = (cell: DetailedCell) => {
    setCurrent(cell.at);
    onShow(descriptionOf(cell));
  };
  return (
    <div className="gh-chart-links" onMouseLeave={() => onShow('')} onKeyDown={moveFocus}>
      {cells.map((cell) => (
        <Link
          key={cell.at}
          href={pathOf(cell)}
          aria-label={descriptionOf(cell)}
          tabIndex={cell.at === tabStop ? 0 : -1}
          style={{ insetInlineStart: `${positionOf(cell.at, span) * 100}%`, inlineSize: width }}
          onMouseEnter={() => show(cell)}
          onFocus={() => show(cell)}
          onBlur={() => onShow('')}
        />
      ))}
    </div>
  );
}

/** Moves the focus to the previous or the next link. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.findIndex((link) => link === document.activeElement);
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: links.length - 1,
  };
  const next = moves[event.key];
  if (next === undefined) return;
  event.preventDefault();
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}

interface LegendProps extends Pick<TrafficChartProps, 'marks' | 'hint'> {
  readonly shapes: TrafficShapes;
}

function Legend({ shapes, marks, hint }: LegendProps): ReactNode {
  const { calls, inFlightBars, waitingBars, breaker } = shapes;
  return (
    <>
      <span className="gh-key gh-key-p95">{text('keyP95')}</span>
      <span className="gh-key gh-key-band">{text('keyBand')}</span>
      <span className="gh-key gh-key-calls">{text('keyCalls')}</span>
      <span className="gh-key gh-key-rejected">{text('rejectedColumn')}</span>
      <span className="gh-key gh-key-many">{text('keyErrors')}</span>
      {inFlightBars !== '' && <span className="gh-key gh-key-in-flight">{text('keyInFlight')}</span>}
      {waitingBars !== '' && <span className="gh-key gh-key-waiting">{text('keyWaiting')}</span>}
      {breaker.some(({ state }) => state === 'open') && (
        <span className="gh-key gh-key-open">{text('keyOpen')}</span>
      )}
      {breaker.some(({ state }) => state === 'half-open') && (
        <span className="gh-key gh-key-half-open">{text('keyHalfOpen')}</span>
      )}
      {marks.length > 0 && <span className="gh-key gh-key-events">{text('keyEvents')}</span>}
      {calls.isClipped && <span>▲ {text('clipped')}</span>}
      <span>{hint}</span>
    </>
  );
}
