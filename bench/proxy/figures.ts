import type { Outcome } from './job.js';

/** One run of one contender in one round. */
export interface Measurement {
  readonly round: number;
  readonly profile: string;
  readonly contender: string;
  /** Requests a second at fixed times; absent for the closed loop. */
  readonly rate?: number;
  readonly outcome: Outcome;
  /** Connections that the upstream accepted during the run. */
  readonly opened: number;
}

/** Results of the closed loop of a profile for one contender. */
export interface Summary {
  readonly contender: string;
  readonly profile: string;
  /** CPU time of one request in microseconds: the minimum of the rounds. */
  readonly cpuUs: number;
  /** Medians of the ratios of each round, by the name of the other. */
  readonly ratios: Readonly<Record<string, number>>;
  /** Maximum of the rounds. */
  readonly requestsPerSecond: number;
  readonly residentMb: number;
  /** Fraction of replies with another status than 200. */
  readonly not200: number;
  readonly wrong: number;
  readonly different: number;
  readonly opened: number;
  /** Callers without the role that were accepted. */
  readonly letIn: number;
}

/** Results of the open loop for one contender at one rate; medians of the rounds, in milliseconds. */
export interface Lateness {
  readonly contender: string;
  readonly rate: string;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  /** Medians of the ratios of the p99 of each round, by the name of the other. */
  readonly ratios: Readonly<Record<string, number>>;
  readonly wrong: number;
}

/** Returns the CPU time of one request, in microseconds. */
export function cpuPerRequest({ cpuMs, replies }: Outcome): number {
  return replies === 0 ? Number.NaN : (cpuMs * 1000) / replies;
}

/** Returns the median ratio of two contenders' figures in the same round; NaN without a common round. */
export function medianRatio(
  mine: ReadonlyMap<number, number>,
  others: ReadonlyMap<number, number> | undefined,
): number {
  const ratios = [...mine].flatMap(([round, value]) => {
    const other = others?.get(round);
    return other === undefined || Number.isNaN(value / other) ? [] : [value / other];
  });
  return median(ratios);
}

/** Returns the median; for an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return (low + high) / 2;
}

/** Summarizes the closed loops of one profile, with ratios to each of the anchors. */
export function summarise(all: readonly Measurement[], anchors: readonly string[]): readonly Summary[] {
  const closed = all.filter(({ rate }) => rate === undefined);
  const costs = groupBy(closed, ({ contender }) => contender, cpuOf);
  return [...costs].map(([contender, cost]) => {
    const mine = closed.filter((one) => one.contender === contender);
    const outcomes = mine.map(({ outcome }) => outcome);
    const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, one) => total + of(one), 0);
    return {
      contender,
      profile: mine[0]?.profile ?? '',
      cpuUs: Math.min(...cost.values()),
      ratios: ratiosTo(anchors, cost, costs),
      requestsPerSecond: Math.max(...outcomes.map(({ replies, seconds }) => replies / seconds)),
      residentMb: Math.max(...outcomes.map(({ residentMb }) => residentMb)),
      not200: sum(({ not200 }) => not200) / sum(({ replies }) => replies),
      wrong: sum(({ wrong }) => wrong),
      different: sum(({ different }) => different),
      opened: Math.max(...mine.map(({ opened }) => opened)),
      letIn: sum(({ strangers }) => strangers.asked - strangers.refused),
    };
  });
}

/** Summarizes the open loops at one rate, with ratios of the p99 to each of the anchors. */
export function summariseLateness(
  all: readonly Measurement[],
  rate: string,
  anchors: readonly string[],
): readonly Lateness[] {
  const late = groupBy(
    all,
    ({ contender }) => contender,
    ({ outcome }) => outcome.latency?.p99 ?? Number.NaN,
  );
  return [...late].map(([contender, p99]) => {
    const mine = all.filter((one) => one.contender === contender);
    const middle = (name: 'p50' | 'p90' | 'p99' | 'p999') =>
      median(mine.map(({ outcome }) => outcome.latency?.[name] ?? Number.NaN));
    return {
      contender,
      rate,
      p50: middle('p50'),
      p90: middle('p90'),
      p99: middle('p99'),
      p999: middle('p999'),
      ratios: ratiosTo(anchors, p99, late),
      wrong: mine.reduce((total, { outcome }) => total + outcome.wrong, 0),
    };
  });
}

function cpuOf({ outcome }: Measurement): number {
  return cpuPerRequest(outcome);
}

type ByRound = ReadonlyMap<number, number>;

function ratiosTo(
  anchors: readonly string[],
  mine: ByRound,
  all: ReadonlyMap<string, ByRound>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(anchors.map((anchor) => [anchor, medianRatio(mine, all.get(anchor))]));
}

function groupBy(
  all: readonly Measurement[],
  nameOf: (one: Measurement) => string,
  valueOf: (one: Measurement) => number,
): ReadonlyMap<string, ByRound> {
  const groups = new Map<string, Map<number, number>>();
  for (const one of all) {
    const group = groups.get(nameOf(one)) ?? new Map<number, number>();
    groups.set(nameOf(one), group.set(one.round, valueOf(one)));
  }
  return groups;
}
