import type { AdapterStatusView, CallerRates, Rates } from '../../api/observe.js';
import { connectionOf, isTroubled, rankOf, adapterStatusOf } from '../adapters/status.js';

/** One line of the diagram: an adapter with its orchestrator, or several healthy adapters of one type. */
export type ChainRow =
  | { readonly kind: 'one'; readonly adapter: AdapterStatusView }
  | {
      readonly kind: 'many';
      /** Type of the adapters; absent for the group of adapters with problems that have no separate line. */
      readonly type?: string;
      readonly adapters: readonly AdapterStatusView[];
      readonly traffic: Rates;
    };

/** Up to this number of adapters, each has a separate line. */
const ALL_ALONE = 12;
/** With more adapters, this number of adapters with problems still have separate lines. */
const TROUBLED_ALONE = 6;

/**
 * Returns the lines of the diagram, worst first; with many adapters, the healthy ones are grouped by type.
 */
export function chainRows(adapters: readonly AdapterStatusView[]): readonly ChainRow[] {
  const ordered = adapters.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      b.traffic.perMinute - a.traffic.perMinute ||
      a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
  if (ordered.length <= ALL_ALONE) return ordered.map((adapter) => ({ kind: 'one', adapter }));
  const troubled = ordered.filter(isTroubled);
  const alone = troubled.slice(0, TROUBLED_ALONE);
  const rest = troubled.slice(TROUBLED_ALONE);
  const types = new Map<string, AdapterStatusView[]>();
  for (const adapter of ordered.filter((one) => !isTroubled(one)))
    types.set(adapter.type, [...(types.get(adapter.type) ?? []), adapter]);
  return [
    ...alone.map((adapter) => ({ kind: 'one', adapter }) as const),
    ...(rest.length === 0 ? [] : [{ kind: 'many', adapters: rest, traffic: together(rest) } as const]),
    ...[...types].map(
      ([type, all]) => ({ kind: 'many', type, adapters: all, traffic: together(all) }) as const,
    ),
  ];
}

/** Returns the traffic of several adapters: the sum of the calls, and the slowest p95. */
export function together(adapters: readonly AdapterStatusView[]): Rates {
  const sum = (name: 'perMinute' | 'errorsPerMinute') =>
    adapters.reduce((all, { traffic }) => all + traffic[name], 0);
  const slowest = (name: 'p50Ms' | 'p95Ms') => {
    const known = adapters.flatMap(({ traffic }) => traffic[name] ?? []);
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    perMinute: sum('perMinute'),
    errorsPerMinute: sum('errorsPerMinute'),
    p50Ms: slowest('p50Ms'),
    p95Ms: slowest('p95Ms'),
  };
}

/** Style of a line between two boxes. */
export type LinkKind = 'carries' | 'idle' | 'broken' | 'closed';

/**
 * Returns the style of the line from gatehouse to an adapter: closed while the adapter is stopped or
 * suspended.
 */
export function wayIn({ state, suspended, traffic }: AdapterStatusView): LinkKind {
  if (state === 'DEAD') return 'broken';
  if (state !== 'RUNNING' || suspended !== null) return 'closed';
  return traffic.perMinute > 0 ? 'carries' : 'idle';
}

/** Returns the style of the line from an adapter to its orchestrator. */
export function wayOut(adapter: AdapterStatusView): LinkKind {
  if (connectionOf(adapter).status === 'bad') return 'broken';
  const before = wayIn(adapter);
  return before === 'broken' ? 'closed' : before;
}

/** Returns why a connection is broken; undefined if it works or is closed on purpose. */
export function causeOf(adapter: AdapterStatusView): string | undefined {
  if (adapter.state === 'STOPPED') return undefined;
  return adapter.cause ?? (adapterStatusOf(adapter).status === 'bad' ? 'Cause unknown.' : undefined);
}

/** Returns the busiest callers, and the number of other callers. */
export function topCallers(
  callers: readonly CallerRates[],
  most = 6,
): { readonly shown: readonly CallerRates[]; readonly others: CallerRates | undefined } {
  const named = callers.filter(({ name }) => name !== '');
  const rest = [...named.slice(most), ...callers.filter(({ name }) => name === '')];
  const sum = (key: 'perMinute' | 'errorsPerMinute') => rest.reduce((all, one) => all + one[key], 0);
  const others =
    rest.length === 0
      ? undefined
      : { name: '', perMinute: sum('perMinute'), errorsPerMinute: sum('errorsPerMinute') };
  return { shown: named.slice(0, most), others };
}

/** Positions of the boxes in a column, in the unit of their heights. */
export interface Column {
  /** The middle of each box. */
  readonly middles: readonly number[];
  readonly height: number;
}

/**
 * Places boxes below each other, `gap` apart, centered around `middle` if they fit there, otherwise from the
 * top.
 */
export function columnOf(heights: readonly number[], gap: number, middle = 0): Column {
  const height = heights.reduce((sum, own) => sum + own, 0) + gap * Math.max(heights.length - 1, 0);
  let top = Math.max(middle - height / 2, 0);
  const middles = heights.map((own) => {
    const middle = top + own / 2;
    top += own + gap;
    return middle;
  });
  return { middles, height };
}

/** Returns a curve from the left edge (at `from`) to the right edge (at `to`) of a box with width 100. */
export function curve(from: number, to: number): string {
  return `M0 ${from}C50 ${from} 50 ${to} 100 ${to}`;
}

/** Returns the thickness of a line for a rate of calls: ten times the calls add one step. */
export function thicknessOf(perMinute: number): number {
  return Math.min(1.5 + Math.log10(1 + perMinute) * 1.25, 6);
}
