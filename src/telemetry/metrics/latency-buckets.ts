import { addDurations, type DurationCounts } from '../../core/metric.js';

/** Buckets per octave, which limit the error of a reported value to a sixteenth. */
const BUCKETS_PER_OCTAVE = 8;
/** Maximum duration that is distinguished, in milliseconds; no call takes longer. */
const MAX_DURATION_MS = 2 ** 17 - 1;

export const BUCKETS = 120;

/**
 * Returns the bucket of a duration in milliseconds: one bucket for each value up to 15, then eight per
 * doubling, up to two minutes.
 */
export function bucketOf(ms: number): number {
  const whole = ms > MAX_DURATION_MS ? MAX_DURATION_MS : ms | 0;
  if (whole < BUCKETS_PER_OCTAVE) return whole < 0 ? 0 : whole;
  const octave = 31 - Math.clz32(whole);
  return (octave - 2) * BUCKETS_PER_OCTAVE + ((whole >>> (octave - 3)) & (BUCKETS_PER_OCTAVE - 1));
}

/** Returns the duration in the middle of a bucket, in whole milliseconds. */
export function durationOf(bucket: number): number {
  if (bucket < 2 * BUCKETS_PER_OCTAVE) return bucket;
  const shift = (bucket >>> 3) - 1;
  const low = (BUCKETS_PER_OCTAVE + (bucket & (BUCKETS_PER_OCTAVE - 1))) << shift;
  return low + ((1 << shift) >>> 1);
}

/** Returns the duration that the fraction `part` (0 to 1) of all calls did not exceed; null without calls. */
export function quantile(counts: ArrayLike<number>, part: number): number | null {
  let all = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) all += counts[bucket] ?? 0;
  if (all === 0) return null;
  let remaining = Math.ceil(all * part);
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    remaining -= counts[bucket] ?? 0;
    if (remaining <= 0) return durationOf(bucket);
  }
  return durationOf(BUCKETS - 1);
}

/** Returns the sums of counts by bucket, as {@link quantile} takes them. */
export function bucketSums(counted: readonly { readonly durations: DurationCounts }[]): Float64Array {
  const sums = new Float64Array(BUCKETS);
  for (const { durations } of counted) addDurations(sums, durations);
  return sums;
}
