/** Returns the smallest value that at least this share of the values does not exceed. */
export function quantile(values: readonly number[] | Float64Array, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(Math.ceil(share * sorted.length), sorted.length) - 1] ?? Number.NaN;
}
