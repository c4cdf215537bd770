/**
 * Numbers of calls by the bucket of their duration: `12:3 17:1` is three calls in bucket 12, and one in bucket 17. The
 * text takes a tenth of the memory of a map.
 */
export type DurationCounts = string;

type BucketSums = Float64Array | Uint32Array | number[];

const [COLON, BLANK, ZERO] = [':', ' ', '0'].map((char) => char.charCodeAt(0)) as [number, number, number];

export function addDurations(sums: BucketSums, counts: DurationCounts): void {
  let [bucket, value] = [0, 0];
  for (let at = 0; at <= counts.length; at += 1) {
    const code = at < counts.length ? counts.charCodeAt(at) : BLANK;
    if (code === COLON) {
      bucket = value;
      value = 0;
    } else if (code === BLANK) {
      if (value > 0) sums[bucket] = (sums[bucket] ?? 0) + value;
      value = 0;
    } else value = value * 10 + (code - ZERO);
  }
}

/** Returns sums as counts, without empty buckets. */
export function durationCounts(sums: BucketSums): DurationCounts {
  const counts: string[] = [];
  // `forEach` of an array skips the buckets that it does not have.
  sums.forEach((calls, bucket) => {
    if (calls > 0) counts.push(`${bucket}:${calls}`);
  });
  return counts.join(' ');
}

/** Returns the sum of two counts. */
export function joinDurations(a: DurationCounts, b: DurationCounts): DurationCounts {
  if (a === '' || b === '') return a + b;
  const sums: number[] = [];
  addDurations(sums, a);
  addDurations(sums, b);
  return durationCounts(sums);
}
