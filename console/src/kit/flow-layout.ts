import type { TrafficFlow } from '../api/observe.js';

/** A caller or an adapter in a flow diagram; its edge is `height` high and starts at `y`, in pixels. */
export interface FlowNode {
  readonly name: string;
  readonly calls: number;
  readonly y: number;
  readonly height: number;
}

/** A band from a caller to an adapter, with the y of its upper edge at both ends. */
export interface FlowBand extends TrafficFlow {
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

interface FlowLayout {
  readonly callers: readonly FlowNode[];
  readonly adapters: readonly FlowNode[];
  readonly bands: readonly FlowBand[];
  readonly height: number;
}

/** Minimum height of a node: its label must fit. */
const NODE_HEIGHT = 22;
const GAP = 6;
const TOTAL_HEIGHT = 160;

/**
 * Lays out a flow diagram with at most `most` callers and adapters. All others are summed up under the empty name.
 */
export function flowLayout(flows: readonly TrafficFlow[], most: number): FlowLayout {
  const [callers, adapters] = [busiest(flows, 'caller', most), busiest(flows, 'adapter', most)];
  const merged = mergeFlows(flows, callers, adapters);
  const all = merged.reduce((sum, { calls }) => sum + calls, 0);
  const heightOf = (calls: number): number => (calls / Math.max(all, 1)) * TOTAL_HEIGHT;
  const nodesOf = (side: 'caller' | 'adapter'): readonly FlowNode[] => {
    let y = 0;
    return [...sumBy(merged, side)].sort(byCalls).map(([name, calls]) => {
      const node = { name, calls, y, height: Math.max(heightOf(calls), 2) };
      y += Math.max(node.height, NODE_HEIGHT) + GAP;
      return node;
    });
  };
  const [callerNodes, adapterNodes] = [nodesOf('caller'), nodesOf('adapter')];
  const used = new Map<FlowNode, number>();
  const take = (nodes: readonly FlowNode[], name: string, height: number): number => {
    const node = nodes.find((one) => one.name === name);
    if (!node) return 0;
    const offset = used.get(node) ?? 0;
    used.set(node, offset + height);
    return node.y + offset;
  };
  const order = (nodes: readonly FlowNode[], name: string): number =>
    nodes.findIndex((node) => node.name === name);
  const bands = merged
    .toSorted(
      (one, other) =>
        order(adapterNodes, one.adapter) - order(adapterNodes, other.adapter) ||
        order(callerNodes, one.caller) - order(callerNodes, other.caller),
    )
    .map((flow) => {
      const height = heightOf(flow.calls);
      return {
        ...flow,
        from: take(callerNodes, flow.caller, height),
        to: take(adapterNodes, flow.adapter, height),
        height,
      };
    });
  const bottoms = [callerNodes.at(-1), adapterNodes.at(-1)].map((node) =>
    node ? node.y + Math.max(node.height, NODE_HEIGHT) : 0,
  );
  return { callers: callerNodes, adapters: adapterNodes, bands, height: Math.max(...bottoms) };
}

function busiest(
  flows: readonly TrafficFlow[],
  side: 'caller' | 'adapter',
  most: number,
): ReadonlySet<string> {
  const named = [...sumBy(flows, side)].filter(([name]) => name !== '').sort(byCalls);
  return new Set(named.slice(0, most).map(([name]) => name));
}

function sumBy(flows: readonly TrafficFlow[], side: 'caller' | 'adapter'): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const flow of flows) sums.set(flow[side], (sums.get(flow[side]) ?? 0) + flow.calls);
  return sums;
}

/** Sorts by calls; the sum of all others comes last. */
function byCalls(
  [name, calls]: readonly [string, number],
  [otherName, others]: readonly [string, number],
): number {
  if (name === '' || otherName === '') return name === '' ? 1 : -1;
  return others - calls || (name < otherName ? -1 : 1);
}

function mergeFlows(
  flows: readonly TrafficFlow[],
  callers: ReadonlySet<string>,
  adapters: ReadonlySet<string>,
): readonly TrafficFlow[] {
  const merged = new Map<string, TrafficFlow>();
  for (const flow of flows) {
    const caller = callers.has(flow.caller) ? flow.caller : '';
    const adapter = adapters.has(flow.adapter) ? flow.adapter : '';
    const key = JSON.stringify([caller, adapter]);
    const { calls = 0, errors = 0, clientErrors = 0 } = merged.get(key) ?? {};
    merged.set(key, {
      caller,
      adapter,
      calls: calls + flow.calls,
      errors: errors + flow.errors,
      clientErrors: clientErrors + flow.clientErrors,
    });
  }
  return [...merged.values()];
}
