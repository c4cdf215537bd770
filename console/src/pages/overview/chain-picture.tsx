import { type CSSProperties, type ReactNode, useRef } from 'react';
import './overview.css';
import type { AdapterStatusView, CallerRates, OverviewReply } from '../../api/observe.js';
import { Empty } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Panel } from '../../kit/page.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';
import { CallerBox, ServerBox } from './chain-boxes.js';
import { ChainLine } from './chain-line.js';
import {
  type ChainRow,
  chainRows,
  columnOf,
  curve,
  inboundLink,
  type LinkKind,
  thicknessOf,
  topCallers,
} from './chain.js';
import { useHeights } from './use-heights.js';

const text = textOf('overview');

export interface ChainDiagramProps {
  readonly server: OverviewReply['server'];
  readonly adapters: readonly AdapterStatusView[];
  readonly callers: readonly CallerRates[];
}

/** Middle of the box of gatehouse, in CSS pixels, beside a long list of adapters. */
const HIGHEST_MIDDLE = 192;

/**
 * Renders a diagram of callers, gatehouse, adapters and orchestrators from left to right, with their traffic;
 * on small screens a list.
 */
export function ChainDiagram({ server, adapters, callers }: ChainDiagramProps): ReactNode {
  const rows = chainRows(adapters);
  const { shown, others } = topCallers(callers);
  const left = [...shown, ...(others ? [others] : [])];
  const diagram = useRef<HTMLDivElement>(null);
  const { gap, gate, callers: leftHeights, lines, boxes } = useHeights(diagram);
  const leftHeight = columnOf(leftHeights, gap).height;
  const height = Math.max(columnOf(lines, gap).height, leftHeight, gate);
  // The box of gatehouse is visible without scrolling, however many adapters there are.
  const middle = Math.min(height / 2, Math.max(HIGHEST_MIDDLE, leftHeight / 2));
  const leftColumn = columnOf(leftHeights, gap, middle);
  const rightColumn = columnOf(lines, gap, height / 2);
  const style = { '--gh-height': `${height}px`, '--gh-middle': `${middle}px` } as CSSProperties;
  return (
    <Panel title={text('currentTraffic')}>
      <div ref={diagram} className="gh-chain" style={style}>
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
          ends={rightColumn.middles.map((end, index) =>
            // A line ends at the boxes; the text of the cause is below the boxes.
            adapterEnd(rows[index], end - ((lines[index] ?? 0) - (boxes[index] ?? 0)) / 2),
          )}
          manySide="right"
        />
        <section aria-label={text('adaptersAndOrchestrators')}>
          <h3 className="gh-chain-heads">
            <span>{text('adapters')}</span> <span>{text('orchestrators')}</span>
          </h3>
          <div className="gh-chain-lines">
            {rows.length === 0 && <NoAdapters />}
            {rows.map((row) => (
              <ChainLine key={keyOf(row)} row={row} />
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
  if (row.kind === 'one')
    return { middle, kind: inboundLink(row.adapter), perMinute: row.adapter.traffic.perMinute };
  const { perMinute } = row.traffic;
  return { middle, kind: linkKindOf(perMinute), perMinute };
}

interface LinkFanProps {
  /** Height in CSS pixels. */
  readonly height: number;
  /** Position of the single box, in CSS pixels from the top. */
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
