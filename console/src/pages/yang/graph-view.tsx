import type { ReactNode } from 'react';
import { type GraphEdge, type GraphNode, type ModuleGraph, NODE } from './module-graph.js';
import { text } from './yang-text.js';

interface GraphViewProps {
  readonly graph: ModuleGraph;
  readonly onPress: (name: string) => void;
}

const MARGIN = 12;

/**
 * Renders modules as boxes, with lines to the modules that they depend on; a list below has the same content
 * for screen readers.
 */
export function GraphView({ graph, onPress }: GraphViewProps): ReactNode {
  const { nodes, edges, width, height } = graph;
  return (
    <>
      <div className="gh-graph-scroll" tabIndex={0} role="region" aria-label={text('graph')}>
        <svg
          className="gh-graph"
          width={width + 2 * MARGIN}
          height={height + 2 * MARGIN}
          viewBox={`${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`}
          role="img"
          aria-label={text('graph.label', { count: nodes.length })}
        >
          {edges.map((edge) => (
            <Edge key={`${edge.from.name} ${edge.to.name}`} edge={edge} />
          ))}
          {nodes.map((node) => (
            <Node key={node.name} node={node} onPress={onPress} />
          ))}
        </svg>
      </div>
      <details>
        <summary>{text('graph.list')}</summary>
        <ul className="gh-faults">
          {nodes.map(({ name, words }) => (
            <li key={name}>
              <code>{name}</code> {entryText(edges, name, words)}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function entryText(edges: readonly GraphEdge[], name: string, words: string): string {
  const outgoing = edges.filter(({ from }) => from.name === name);
  if (outgoing.length === 0) return text('graph.entry', { words });
  // The kinds are statements of YANG, which no language translates.
  const dependencies = outgoing.map(({ to, kinds }) => `${kinds.join(', ')} ${to.name}`).join('; ');
  return text('graph.dependencies', { words, dependencies });
}

function Edge({ edge: { from, to, kinds } }: { readonly edge: GraphEdge }): ReactNode {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x, to.y + NODE.height / 2];
  const middle = (x1 + x2) / 2;
  const strongest = kinds.includes('augment')
    ? 'augment'
    : kinds.includes('deviation')
      ? 'deviation'
      : kinds[0];
  return (
    <g className="gh-graph-edge" data-kind={strongest}>
      <path d={`M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`} />
      <path d={`M${x2 - 7} ${y2 - 4} L${x2} ${y2} L${x2 - 7} ${y2 + 4}`} />
      <text x={middle} y={(y1 + y2) / 2 - 5} textAnchor="middle">
        {strongest}
      </text>
    </g>
  );
}

function Node({
  node: { name, kind, words, x, y },
  onPress,
}: {
  readonly node: GraphNode;
  readonly onPress: (name: string) => void;
}): ReactNode {
  const label = name.length > 26 ? `${name.slice(0, 25)}…` : name;
  return (
    <g
      className="gh-graph-node"
      data-kind={kind}
      transform={`translate(${x} ${y})`}
      onClick={() => onPress(name)}
    >
      <title>{name}</title>
      <rect width={NODE.width} height={NODE.height} rx="6" />
      <text x="10" y="19" className="gh-graph-name">
        {label}
      </text>
      <text x="10" y="36">
        {words}
      </text>
    </g>
  );
}
