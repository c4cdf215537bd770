import type { AdapterPicture, CallerRates, Rates } from '../../api/observe.js';
import { connectionOf, isTroubled, rankOf, adapterStatusOf } from '../adapters/status.js';

/** One line of the picture: an adapter with its orchestrator, or many of one kind that have nothing to tell. */
export type ChainRow =
  | { readonly kind: 'one'; readonly adapter: AdapterPicture }
  | {
      readonly kind: 'many';
      /** Type of the adapters; absent for those with problems that have no place of their own. */
      readonly type?: string;
      readonly adapters: readonly AdapterPicture[];
      readonly traffic: Rates;
    };

/** With so many adapters each has a line of its own. */
const ALL_ALONE = 12;
/** Beyond that, so many of those with problems do. */
const TROUBLED_ALONE = 6;

/** The lines of the picture, worst first; of many adapters the healthy ones are taken together by type. */
export function chainRows(adapters: readonly AdapterPicture[]): readonly ChainRow[] {
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
  const types = new Map<string, AdapterPicture[]>();
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

/** Traffic of several adapters: the sum of the calls, and the slowest p95. */
export function together(adapters: readonly AdapterPicture[]): Rates {
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

/** How a line from one box to the next is drawn. */
export type LinkKind = 'carries' | 'idle' | 'broken' | 'closed';

/** The way from gatehouse to an adapter: closed while it takes no calls on purpose. */
export function wayIn({ state, suspended, traffic }: AdapterPicture): LinkKind {
  if (state === 'DEAD') return 'broken';
  if (state !== 'RUNNING' || suspended !== null) return 'closed';
  return traffic.perMinute > 0 ? 'carries' : 'idle';
}

/** The way from an adapter to its orchestrator. */
export function wayOut(adapter: AdapterPicture): LinkKind {
  if (connectionOf(adapter).status === 'bad') return 'broken';
  const before = wayIn(adapter);
  return before === 'broken' ? 'closed' : before;
}

/** Why a chain is broken, for its line in the picture; undefined when it is whole or held back on purpose. */
export function causeOf(adapter: AdapterPicture): string | undefined {
  if (adapter.state === 'STOPPED') return undefined;
  return adapter.cause ?? (adapterStatusOf(adapter).status === 'bad' ? 'No cause is known.' : undefined);
}

/** The busiest callers, and how many there are beside them. */
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

/** Where the boxes of a column stand, in the unit of their heights. */
export interface Column {
  /** The middle of each box. */
  readonly middles: readonly number[];
  readonly height: number;
}

/** Puts boxes below each other, `gap` apart, around the middle of a column if they fit there, else from its top on. */
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

/** A line from the left edge (at `from`) to the right one (at `to`) of a box 100 wide. */
export function curve(from: number, to: number): string {
  return `M0 ${from}C50 ${from} 50 ${to} 100 ${to}`;
}

/** How thick a line is that carries so many calls: ten times the calls, one step more. */
export function thicknessOf(perMinute: number): number {
  return Math.min(1.5 + Math.log10(1 + perMinute) * 1.25, 6);
}
