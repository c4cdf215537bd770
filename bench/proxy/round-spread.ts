/** A figure over the rounds. Every round starts the programs again, and figures differ from start to start. */
export interface RoundSpread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Values by the number of the round. */
export type ByRound = ReadonlyMap<number, number>;

/** Summarizes values of rounds; all members are NaN without values. */
export function spreadOf(values: readonly number[]): RoundSpread {
  const known = values.filter((value) => !Number.isNaN(value));
  if (known.length === 0) return { median: Number.NaN, least: Number.NaN, most: Number.NaN };
  return { median: median(known), least: Math.min(...known), most: Math.max(...known) };
}

/** Returns the ratios of two contenders' figures in the same round: rounds differ by more than contenders. */
export function perRoundRatios(mine: ByRound, others: ByRound): readonly number[] {
  return [...mine].flatMap(([round, value]) => {
    const other = others.get(round);
    return other === undefined || Number.isNaN(value / other) ? [] : [value / other];
  });
}

/** Returns the median; for an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return (low + high) / 2;
}
