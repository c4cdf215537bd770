/** A figure of the pages, and what it must not exceed (`most`) or fall below (`least`); section 5 of the form specification. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly median: number;
  /** Of 20 times that it was done, 19 took no longer. */
  readonly p95?: number;
  readonly target: { readonly most: number } | { readonly least: number };
  /** True when the target is meant for 19 of 20 and not for the middle. */
  readonly isP95?: boolean;
}

/** True for a figure that is as it has to be. */
export function isMet({ median, p95 = median, target, isP95 = false }: Figure): boolean {
  const value = isP95 ? p95 : median;
  return 'most' in target ? value <= target.most : value >= target.least;
}

/** The value that a share of all does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.ceil(share * sorted.length), sorted.length) - 1] ?? Number.NaN;
}

/** What many measurements come to. */
export function spread(values: readonly number[]): { readonly median: number; readonly p95: number } {
  return { median: quantile(values, 0.5), p95: quantile(values, 0.95) };
}
