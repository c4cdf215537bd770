import { type KeyboardEvent, memo, type ReactNode, type SyntheticEvent, useState } from 'react';
import { Link } from 'wouter';
import '../style/charts.css';
import '../style/traffic.css';
import type { TrafficCell } from '../api/observe.js';
import { textOf } from '../text/text.js';
import { cellCount, errorShareOf, type Span } from './chart-shapes.js';
import { TimeAxis } from './time-axis-labels.js';
import { describeCell, describeCells } from './traffic-text.js';

const text = textOf('traffic');

/** A row of a heat map: an adapter. */
interface HeatRow {
  readonly name: string;
  readonly cells: readonly TrafficCell[];
}

interface HeatMapProps {
  readonly rows: readonly HeatRow[];
  readonly span: Span;
  /** Returns the page of a row, at the time of a cell if it is given: its path below /ui. */
  readonly pathOf: (name: string, cell?: TrafficCell) => string;
}

/** Renders adapters by time: the color of a cell shows its calls and errors. Each cell with calls is a link. */
export const HeatMap = memo(function HeatMap({ rows, span, pathOf }: HeatMapProps): ReactNode {
  const most = Math.max(1, ...rows.flatMap(({ cells }) => cells.map(({ calls }) => calls)));
  return (
    <DescribedCells>
      {rows.map((row) => (
        <Row key={row.name} row={row} span={span} pathOf={pathOf} most={most} />
      ))}
      <div className="gh-heat-row">
        <span />
        <TimeAxis span={span} />
      </div>
    </DescribedCells>
  );
});

/** Renders the map with the description of the cell under the pointer. The cells are not rendered again for it. */
function DescribedCells({ children }: { readonly children: ReactNode }): ReactNode {
  const [shown, setShown] = useState('');
  const show = ({ target }: SyntheticEvent) => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('a[data-heat]') : null;
    setShown(cell ? `${cell.dataset['name'] ?? ''} · ${cell.ariaLabel ?? ''}` : '');
  };
  const clear = () => setShown('');
  return (
    <figure className="gh-heat-map" aria-label={text('heatMap')}>
      <div onMouseOver={show} onFocus={show} onMouseLeave={clear} onBlur={clear}>
        {children}
      </div>
      <figcaption className="gh-legend gh-quiet">
        {shown === '' ? <Legend /> : <span>{shown}</span>}
      </figcaption>
    </figure>
  );
}

interface RowProps extends Omit<HeatMapProps, 'rows'> {
  readonly row: HeatRow;
  /** Highest number of calls of all cells. */
  readonly most: number;
}

const Row = memo(function Row({ row: { name, cells }, span, pathOf, most }: RowProps): ReactNode {
  return (
    <div className="gh-heat-row">
      <Link href={pathOf(name)} className="gh-link" title={name}>
        {name}
      </Link>
      <div
        className="gh-heat-cells"
        role="group"
        aria-label={text('heatRow', { adapter: name, summary: describeCells(cells) })}
        style={{ gridTemplateColumns: `repeat(${cellCount(span)}, minmax(0, 1fr))` }}
        onKeyDown={moveFocus}
      >
        {cells.map((cell, index) => (
          <Link
            key={cell.at}
            href={pathOf(name, cell)}
            aria-label={describeCell(cell.at, cell)}
            tabIndex={index === cells.length - 1 ? 0 : -1}
            data-heat={heatOf(cell, most)}
            data-name={name}
            style={{ gridColumn: Math.floor((cell.at - span.from) / span.cellMs) + 1 }}
          />
        ))}
      </div>
    </div>
  );
});

/** Returns the color of a cell: the share of errors, or without errors one of four steps of calls. */
function heatOf(cell: TrafficCell, most: number): string {
  const share = errorShareOf(cell);
  if (share !== 'none') return share;
  return String(Math.min(4, 1 + Math.floor((4 * Math.log(cell.calls)) / Math.log(Math.max(most, 2)))));
}

/** Moves the focus to a cell of the same row, or to the last cell of the row above or below. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const row = event.currentTarget;
  const cells = [...row.querySelectorAll('a')];
  const at = cells.findIndex((cell) => cell === document.activeElement);
  const rows = [...(row.closest('.gh-heat-map')?.querySelectorAll('.gh-heat-cells') ?? [])];
  const inRow = (step: number): HTMLAnchorElement | undefined =>
    [...(rows[rows.indexOf(row) + step]?.querySelectorAll('a') ?? [])].at(-1);
  const targets: Readonly<Record<string, HTMLAnchorElement | undefined>> = {
    ArrowLeft: cells[at - 1],
    ArrowRight: cells[at + 1],
    Home: cells[0],
    End: cells.at(-1),
    ArrowUp: inRow(-1),
    ArrowDown: inRow(1),
  };
  if (!(event.key in targets)) return;
  event.preventDefault();
  targets[event.key]?.focus();
}

function Legend(): ReactNode {
  return (
    <>
      {(
        [
          ['1', 'heatFew'],
          ['4', 'heatMany'],
          ['rejected', 'heatRejected'],
          ['some', 'heatSome'],
          ['many', 'heatFailing'],
        ] as const
      ).map(([heat, key]) => (
        <span key={heat} className="gh-heat-key">
          <i data-heat={heat} />
          {text(key)}
        </span>
      ))}
      <span>{text('heatHint')}</span>
    </>
  );
}
