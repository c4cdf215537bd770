/** Buckets of an octave: no value is told more than a sixteenth off. */
const PARTS = 8;
/** Beyond this, in milliseconds, all are the same: no call takes longer. */
const LONGEST = 2 ** 17 - 1;

/** How many buckets there are. */
export const BUCKETS = 120;

/** The bucket of a duration in milliseconds: one for each up to 15, then eight for each doubling, to two minutes. */
export function bucketOf(ms: number): number {
  const whole = ms > LONGEST ? LONGEST : ms | 0;
  if (whole < PARTS) return whole < 0 ? 0 : whole;
  const octave = 31 - Math.clz32(whole);
  return (octave - 2) * PARTS + ((whole >>> (octave - 3)) & (PARTS - 1));
}

/** The duration in the middle of a bucket, in whole milliseconds. */
export function durationOf(bucket: number): number {
  if (bucket < 2 * PARTS) return bucket;
  const shift = (bucket >>> 3) - 1;
  const low = (PARTS + (bucket & (PARTS - 1))) << shift;
  return low + ((1 << shift) >>> 1);
}

/** The duration that this part of all (0 to 1) did not exceed; null when nothing was counted. */
export function quantile(counts: ArrayLike<number>, part: number): number | null {
  let all = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) all += counts[bucket] ?? 0;
  if (all === 0) return null;
  let left = Math.ceil(all * part);
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    left -= counts[bucket] ?? 0;
    if (left <= 0) return durationOf(bucket);
  }
  return durationOf(BUCKETS - 1);
}
