import type { Outcome } from './job.js';
import { type ByRound, median, perRoundRatios, type RoundSpread, spreadOf } from './round-spread.js';

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

/** Ratios of each round, by the name of the other contender. */
type Ratios = Readonly<Record<string, RoundSpread>>;

/** Results of the closed loop of a profile for one contender. */
export interface Summary {
  readonly contender: string;
  readonly profile: string;
  /** CPU time of one request in microseconds. */
  readonly cpuUs: RoundSpread;
  /** Ratios of `cpuUs` to the other contenders. */
  readonly ratios: Ratios;
  /** Median of the rounds. */
  readonly requestsPerSecond: number;
  /** Maximum of the rounds. */
  readonly residentMb: number;
  /** Fraction of replies with another status than 200. */
  readonly not200: number;
  readonly wrong: number;
  readonly different: number;
  readonly opened: number;
  /** Callers without the role that were accepted. */
  readonly letIn: number;
  /** True if a round was measured before the program was warm. */
  readonly isCold: boolean;
}

/** A quantile of the latency that is compared with that of other contenders. */
export type ComparedQuantile = 'p50' | 'p99';

/** Results of the open loop for one contender at one rate; medians of the rounds, in milliseconds. */
export interface Lateness {
  readonly contender: string;
  readonly rate: string;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  /** Median of the CPU time of one request, in microseconds. */
  readonly cpuUs: number;
  readonly ratios: Readonly<Record<ComparedQuantile, Ratios>>;
  readonly wrong: number;
}

/** Returns the CPU time of one request, in microseconds. */
export function cpuPerRequest({ cpuMs, replies }: Outcome): number {
  return replies === 0 ? Number.NaN : (cpuMs * 1000) / replies;
}

/** Summarizes the closed loops of one profile, with ratios of each contender to all others. */
export function summarise(all: readonly Measurement[]): readonly Summary[] {
  const closed = all.filter(({ rate }) => rate === undefined);
  const costs = byContender(closed, ({ outcome }) => cpuPerRequest(outcome));
  return [...costs].map(([contender, cost]) => {
    const mine = closed.filter((one) => one.contender === contender);
    const outcomes = mine.map(({ outcome }) => outcome);
    const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, one) => total + of(one), 0);
    return {
      contender,
      profile: mine[0]?.profile ?? '',
      cpuUs: spreadOf([...cost.values()]),
      ratios: ratiosTo(cost, costs),
      requestsPerSecond: median(outcomes.map(({ replies, seconds }) => replies / seconds)),
      residentMb: Math.max(...outcomes.map(({ residentMb }) => residentMb)),
      not200: sum(({ not200 }) => not200) / sum(({ replies }) => replies),
      wrong: sum(({ wrong }) => wrong),
      different: sum(({ different }) => different),
      opened: Math.max(...mine.map(({ opened }) => opened)),
      letIn: sum(({ strangers }) => strangers.asked - strangers.refused),
      isCold: outcomes.some(({ isCold }) => isCold),
    };
  });
}

/** Summarizes the open loops at one rate, with ratios of the quantiles of each contender to those of all others. */
export function summariseLateness(all: readonly Measurement[], rate: string): readonly Lateness[] {
  const p50 = byContender(all, ({ outcome }) => outcome.latency?.p50 ?? Number.NaN);
  const p99 = byContender(all, ({ outcome }) => outcome.latency?.p99 ?? Number.NaN);
  return [...p99.keys()].map((contender) => {
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
      cpuUs: median(mine.map(({ outcome }) => cpuPerRequest(outcome))),
      ratios: { p50: ratiosTo(p50.get(contender), p50), p99: ratiosTo(p99.get(contender), p99) },
      wrong: mine.reduce((total, { outcome }) => total + outcome.wrong, 0),
    };
  });
}

function ratiosTo(mine: ByRound | undefined, all: ReadonlyMap<string, ByRound>): Ratios {
  const ratios = [...all].map(
    ([other, theirs]) => [other, spreadOf(perRoundRatios(mine ?? new Map(), theirs))] as const,
  );
  return Object.fromEntries(ratios.filter(([, { median }]) => Number.isFinite(median)));
}

function byContender(
  all: readonly Measurement[],
  valueOf: (one: Measurement) => number,
): ReadonlyMap<string, ByRound> {
  const groups = new Map<string, Map<number, number>>();
  for (const one of all) {
    const group = groups.get(one.contender) ?? new Map<number, number>();
    groups.set(one.contender, group.set(one.round, valueOf(one)));
  }
  return groups;
}
