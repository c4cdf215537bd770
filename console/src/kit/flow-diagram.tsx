import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import '../style/charts.css';
import '../style/traffic.css';
import type { TrafficFlow } from '../api/observe.js';
import { textOf } from '../text/text.js';
import { errorShareOf } from './chart-shapes.js';
import { type FlowBand, flowLayout, type FlowNode } from './flow-layout.js';
import { formatCount } from './numbers.js';
import { rejectedParts } from './traffic-text.js';

const text = textOf('traffic');

interface FlowDiagramProps {
  readonly flows: readonly TrafficFlow[];
  /** Returns the page of an adapter: its path below /ui. */
  readonly pathOf: (adapter: string) => string;
}

/** Maximum number of callers and of adapters in the diagram. */
const MAX_NODES = 10;
const WIDTH = 100;

/** Renders who calls which adapter, as bands from the callers to the adapters, and as a table. */
export function FlowDiagram({ flows, pathOf }: FlowDiagramProps): ReactNode {
  const { callers, adapters, bands, height } = useMemo(() => flowLayout(flows, MAX_NODES), [flows]);
  if (flows.length === 0) return <p className="gh-quiet">{text('noCallsInTime')}</p>;
  return (
    <div className="gh-stack">
      <div className="gh-flow" style={{ blockSize: `${height}px` }}>
        <div className="gh-flow-side">
          {callers.map((node) => (
            <Node key={node.name} node={node}>
              {node.name === '' ? text('otherCallers') : node.name}
            </Node>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={text('flow')}
          style={{ blockSize: `${height}px` }}
        >
          {bands.map((band) => (
            <path
              key={`${band.caller}\n${band.adapter}`}
              className="gh-flow-band"
              data-errors={errorShareOf(band)}
              d={bandPath(band)}
            >
              <title>{titleOf(band)}</title>
            </path>
          ))}
        </svg>
        <div className="gh-flow-side">
          {adapters.map((node) => (
            <Node key={node.name} node={node}>
              {node.name === '' ? (
                text('otherAdapters')
              ) : (
                <Link href={pathOf(node.name)} className="gh-link">
                  {node.name}
                </Link>
              )}
            </Node>
          ))}
        </div>
      </div>
      <details className="gh-fold">
        <summary>{text('asTable')}</summary>
        <FlowTable bands={bands} />
      </details>
    </div>
  );
}

function Node({ node, children }: { readonly node: FlowNode; readonly children: ReactNode }): ReactNode {
  return (
    <span className="gh-flow-node" style={{ insetBlockStart: `${node.y}px` }} title={node.name}>
      <span>{children}</span> <span className="gh-quiet">{formatCount(node.calls)}</span>
    </span>
  );
}

function bandPath({ from, to, height }: FlowBand): string {
  const [middle, thick] = [WIDTH / 2, Math.max(height, 1)];
  return (
    `M0 ${from}C${middle} ${from} ${middle} ${to} ${WIDTH} ${to}` +
    `v${thick}C${middle} ${to + thick} ${middle} ${from + thick} 0 ${from + thick}z`
  );
}

function namesOf({ caller, adapter }: TrafficFlow): { readonly caller: string; readonly adapter: string } {
  return {
    caller: caller === '' ? text('otherCallers') : caller,
    adapter: adapter === '' ? text('otherAdapters') : adapter,
  };
}

function titleOf(band: FlowBand): string {
  const [calls, errors] = [text('calls', { count: band.calls }), text('errors', { count: band.errors })];
  return [text('flowTitle', { ...namesOf(band), calls, errors }), ...rejectedParts(band.clientErrors)].join(
    ' · ',
  );
}

function FlowTable({ bands }: { readonly bands: readonly FlowBand[] }): ReactNode {
  const sorted = bands.toSorted((one, other) => other.calls - one.calls);
  return (
    <div className="gh-cells" tabIndex={0} role="region" aria-label={text('flow')}>
      <table>
        <thead>
          <tr>
            {(['caller', 'adapter', 'callsColumn', 'errorsColumn', 'rejectedColumn'] as const).map((key) => (
              <th key={key} scope="col">
                {text(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((band) => {
            const { caller, adapter } = namesOf(band);
            return (
              <tr key={`${caller}\n${adapter}`}>
                <th scope="row">{caller}</th>
                <td>{adapter}</td>
                <td>{formatCount(band.calls)}</td>
                <td>{formatCount(band.errors)}</td>
                <td>{formatCount(band.clientErrors)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
