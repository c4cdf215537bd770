import type { CSSProperties, ReactNode } from 'react';
import './overview.css';
import type { AdapterStatusView, CallerRates, OverviewReply } from '../../api/observe.js';
import { Empty } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Panel } from '../../kit/page.js';
import {
  causeOf,
  type ChainRow,
  chainRows,
  columnOf,
  curve,
  type LinkKind,
  thicknessOf,
  topCallers,
  inboundLink,
} from './chain.js';
import { CallerBox, ServerBox } from './chain-boxes.js';
import { ChainLine } from './chain-line.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';

const text = textOf('overview');

export interface ChainDiagramProps {
  readonly server: OverviewReply['server'];
  readonly adapters: readonly AdapterStatusView[];
  readonly callers: readonly CallerRates[];
}

/** Heights of the boxes and gaps in rem, equal to those in overview.css. */
const [CALLER, ROW, CAUSE, GAP] = [3, 4.25, 2.5, 0.75];
const [GATE, HIGHEST_MIDDLE] = [11, 12];

/**
 * Renders a diagram of callers, gatehouse, adapters and orchestrators from left to right, with their traffic;
 * on small screens a list.
 */
export function ChainDiagram({ server, adapters, callers }: ChainDiagramProps): ReactNode {
  const rows = chainRows(adapters);
  const { shown, others } = topCallers(callers);
  const left = [...shown, ...(others ? [others] : [])];
  const leftHeights = left.map(() => CALLER);
  const rowHeights = rows.map(heightOf);
  const leftHeight = columnOf(leftHeights, GAP).height;
  const height = Math.max(columnOf(rowHeights, GAP).height, leftHeight, GATE);
  // The box of gatehouse is visible without scrolling, however many adapters there are.
  const middle = Math.min(height / 2, Math.max(HIGHEST_MIDDLE, leftHeight / 2));
  const leftColumn = columnOf(leftHeights, GAP, middle);
  const rightColumn = columnOf(rowHeights, GAP, height / 2);
  const style = { '--gh-height': `${height}rem`, '--gh-middle': `${middle}rem` } as CSSProperties;
  return (
    <Panel title={text('currentTraffic')}>
      <div className="gh-chain" style={style}>
        <section aria-label={text('callers')}>
          <h3>{text('callers')}</h3>
          <div className="gh-chain-middle">
            {left.length === 0 && <p className="gh-quiet gh-chain-none">{text('noCalls')}</p>}
            {left.map((caller, at) => (
              <CallerBox key={`${at} ${caller.name}`} caller={caller} />
            ))}
          </div>
        </section>
        <LinkFan
          height={height}
          middle={middle}
          ends={leftColumn.middles.map((end, index) => callerEnd(left[index], end))}
          manySide="left"
        />
        <section aria-label="gatehouse">
          <h3>gatehouse</h3>
          <div className="gh-chain-middle">
            <ServerBox server={server} adapters={adapters} />
          </div>
        </section>
        <LinkFan
          height={height}
          middle={middle}
          ends={rightColumn.middles.map((end, index) => adapterEnd(rows[index], end))}
          manySide="right"
        />
        <section aria-label={text('adaptersAndOrchestrators')}>
          <h3 className="gh-chain-heads">
            <span>{text('adapters')}</span> <span>{text('orchestrators')}</span>
          </h3>
          <div className="gh-chain-lines">
            {rows.length === 0 && <NoAdapters />}
            {rows.map((row, index) => (
              <ChainLine key={keyOf(row)} row={row} height={rowHeights[index] ?? ROW} />
            ))}
          </div>
        </section>
      </div>
    </Panel>
  );
}

function NoAdapters(): ReactNode {
  return (
    <Empty title={text('noAdapters')}>
      {rich(text, 'noAdaptersHelp', { link: (children) => <Link to="/adapters">{children}</Link> })}
    </Empty>
  );
}

function heightOf(row: ChainRow): number {
  return row.kind === 'one' && causeOf(row.adapter) !== undefined ? ROW + CAUSE : ROW;
}

function keyOf(row: ChainRow): string {
  return row.kind === 'one' ? `one ${row.adapter.name}` : `many ${row.type ?? ''}`;
}

function callerEnd(caller: CallerRates | undefined, middle: number) {
  const perMinute = caller?.perMinute ?? 0;
  return { middle, kind: linkKindOf(perMinute), perMinute };
}

function linkKindOf(perMinute: number): LinkKind {
  return perMinute > 0 ? 'carries' : 'idle';
}

function adapterEnd(row: ChainRow | undefined, middle: number) {
  if (!row) return { middle, kind: 'idle', perMinute: 0 } as const;
  // A line ends at the boxes; the text of the cause is below the boxes.
  const at = middle - (heightOf(row) - ROW) / 2;
  if (row.kind === 'one')
    return { middle: at, kind: inboundLink(row.adapter), perMinute: row.adapter.traffic.perMinute };
  const { perMinute } = row.traffic;
  return { middle: at, kind: linkKindOf(perMinute), perMinute };
}

export interface LinkFanProps {
  /** Height in rem. */
  readonly height: number;
  /** Position of the single box, in rem from the top. */
  readonly middle: number;
  readonly ends: readonly { readonly middle: number; readonly kind: LinkKind; readonly perMinute: number }[];
  /** The side of the many ends. */
  readonly manySide: 'left' | 'right';
}

/**
 * Renders the lines between the box of gatehouse and the boxes of one side. The boxes contain the same data
 * as text.
 */
function LinkFan({ height, middle, ends, manySide }: LinkFanProps): ReactNode {
  return (
    <svg
      className="gh-fan"
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {ends.map(({ middle: end, kind, perMinute }, index) => (
        <path
          key={index}
          data-kind={kind}
          d={manySide === 'left' ? curve(end, middle) : curve(middle, end)}
          strokeWidth={thicknessOf(perMinute)}
        />
      ))}
    </svg>
  );
}
