import type { AdapterStatusView, CallerRates, Rates } from '../../api/observe.js';
import { textOf } from '../../text/text.js';
import { causeOf as causeTextOf } from '../adapters/cause.js';
import { connectionOf, hasProblem, rankOf, adapterStatusOf } from '../adapters/status.js';

const text = textOf('status');

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

/** Maximum number of adapters for which each adapter has a separate line. */
const MAX_SEPARATE_ROWS = 12;
/** Maximum number of adapters with problems that have separate lines if healthy adapters are grouped. */
const MAX_PROBLEM_ROWS = 6;

/**
 * Returns the lines of the diagram, worst first. If there are many adapters, healthy adapters are grouped by
 * type.
 */
export function chainRows(adapters: readonly AdapterStatusView[]): readonly ChainRow[] {
  const ordered = adapters.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      b.traffic.perMinute - a.traffic.perMinute ||
      a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
  if (ordered.length <= MAX_SEPARATE_ROWS) return ordered.map((adapter) => ({ kind: 'one', adapter }));
  const problematic = ordered.filter(hasProblem);
  const separate = problematic.slice(0, MAX_PROBLEM_ROWS);
  const rest = problematic.slice(MAX_PROBLEM_ROWS);
  const types = new Map<string, AdapterStatusView[]>();
  for (const adapter of ordered.filter((one) => !hasProblem(one)))
    types.set(adapter.type, [...(types.get(adapter.type) ?? []), adapter]);
  return [
    ...separate.map((adapter) => ({ kind: 'one', adapter }) as const),
    ...(rest.length === 0 ? [] : [{ kind: 'many', adapters: rest, traffic: sumOfRates(rest) } as const]),
    ...[...types].map(
      ([type, all]) => ({ kind: 'many', type, adapters: all, traffic: sumOfRates(all) }) as const,
    ),
  ];
}

/** Returns the traffic of several adapters: the sum of the calls, and the slowest p95. */
export function sumOfRates(adapters: readonly AdapterStatusView[]): Rates {
  const slowest = (name: 'p50Ms' | 'p95Ms') => {
    const known = adapters.flatMap(({ traffic }) => traffic[name] ?? []);
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    ...sumOfCalls(adapters.map(({ traffic }) => traffic)),
    p50Ms: slowest('p50Ms'),
    p95Ms: slowest('p95Ms'),
  };
}

type Calls = Omit<Rates, 'p50Ms' | 'p95Ms'>;

function sumOfCalls(all: readonly Calls[]): Calls {
  const sum = (name: keyof Calls) => all.reduce((total, one) => total + one[name], 0);
  return {
    calls: sum('calls'),
    errors: sum('errors'),
    clientErrors: sum('clientErrors'),
    perMinute: sum('perMinute'),
    errorsPerMinute: sum('errorsPerMinute'),
  };
}

/** Style of a line between two boxes. */
export type LinkKind = 'carries' | 'idle' | 'broken' | 'closed';

/**
 * Returns the style of the line from gatehouse to an adapter: closed while the adapter is stopped or
 * suspended.
 */
export function inboundLink({ state, suspended, traffic }: AdapterStatusView): LinkKind {
  if (state === 'DEAD') return 'broken';
  if (state !== 'RUNNING' || suspended !== null) return 'closed';
  return traffic.perMinute > 0 ? 'carries' : 'idle';
}

/** Returns the style of the line from an adapter to its orchestrator. */
export function outboundLink(adapter: AdapterStatusView): LinkKind {
  if (connectionOf(adapter).status === 'bad') return 'broken';
  const inbound = inboundLink(adapter);
  return inbound === 'broken' ? 'closed' : inbound;
}

/** Returns the cause of a broken connection; undefined for a working connection or a stopped adapter. */
export function causeOf(adapter: AdapterStatusView): string | undefined {
  if (adapter.state === 'STOPPED') return undefined;
  return (
    causeTextOf(adapter) ?? (adapterStatusOf(adapter).status === 'bad' ? text('causeUnknown') : undefined)
  );
}

/** Returns the busiest callers, and the number of other callers. */
export function topCallers(
  callers: readonly CallerRates[],
  maxShown = 6,
): { readonly shown: readonly CallerRates[]; readonly others: CallerRates | undefined } {
  const named = callers.filter(({ name }) => name !== '');
  const rest = [...named.slice(maxShown), ...callers.filter(({ name }) => name === '')];
  const others = rest.length === 0 ? undefined : { name: '', ...sumOfCalls(rest) };
  return { shown: named.slice(0, maxShown), others };
}

/** Positions of the boxes in a column, in the unit of their heights. */
interface Column {
  /** The middle of each box. */
  readonly middles: readonly number[];
  readonly height: number;
}

/**
 * Stacks boxes with a gap of `gap`. The boxes are centered around `middle` if they fit, otherwise they start
 * at the top.
 */
export function columnOf(heights: readonly number[], gap: number, middle = 0): Column {
  const height =
    heights.reduce((sum, boxHeight) => sum + boxHeight, 0) + gap * Math.max(heights.length - 1, 0);
  let top = Math.max(middle - height / 2, 0);
  const middles = heights.map((boxHeight) => {
    const middle = top + boxHeight / 2;
    top += boxHeight + gap;
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
