import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addCounts,
  NO_COUNTS,
  type TrafficCounts,
  durationCounts,
} from '../../../src/features/traffic/traffic.js';
import {
  bucketSums,
  BUCKETS,
  bucketOf,
  durationOf,
  quantile,
} from '../../../src/telemetry/metrics/latency-buckets.js';

describe('the duration buckets', () => {
  it('grow with the duration, and represent it to one sixteenth', () => {
    let previous = 0;
    for (let ms = 0; ms < 131_072; ms += ms < 1_000 ? 1 : 37) {
      const bucket = bucketOf(ms);
      assert.ok(bucket >= previous && bucket < BUCKETS, `${ms} is in ${bucket}`);
      assert.ok(Math.abs(durationOf(bucket) - ms) <= ms / 16, `${ms} is told as ${durationOf(bucket)}`);
      previous = bucket;
    }
  });

  it('include durations out of bounds: negative and very long ones', () => {
    assert.equal(bucketOf(-5), 0);
    assert.equal(bucketOf(0.7), 0);
    assert.equal(bucketOf(1e15), BUCKETS - 1);
    assert.equal(bucketOf(131_071), BUCKETS - 1);
  });

  it('give the quantiles of their counts', () => {
    const counts = new Float64Array(BUCKETS);
    assert.equal(quantile(counts, 0.5), null);
    counts[3] = 94;
    counts[bucketOf(1_000)] = 6;
    assert.deepEqual([quantile(counts, 0.5), quantile(counts, 0.94)], [3, 3]);
    assert.equal(quantile(counts, 0.95), durationOf(bucketOf(1_000)));
  });
});

/** Returns the numbers of calls that took these milliseconds. */
function countsOf(times: readonly number[]): TrafficCounts {
  const durations = new Uint32Array(BUCKETS);
  for (const ms of times) durations[bucketOf(ms)] = (durations[bucketOf(ms)] ?? 0) + 1;
  return { ...NO_COUNTS, calls: times.length, durations: durationCounts(durations) };
}

/** Returns the exact duration that the fraction `part` of the calls did not exceed. */
function exactQuantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? NaN;
}

describe('the sum of latency histograms', () => {
  const times = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 130_000 })));

  const someCells = fc.array(times, { minLength: 1, maxLength: 8 });

  it('gives every quantile to one sixteenth, however the calls were split', () => {
    fc.assert(
      fc.property(someCells, fc.constantFrom(0.5, 0.95), (cells, part) => {
        const sum = cells.map(countsOf).reduce(addCounts, NO_COUNTS);
        const found = quantile(bucketSums([sum]), part);
        const all = cells.flat();
        assert.equal(sum.calls, all.length);
        if (all.length === 0) assert.equal(found, null);
        else {
          const exact = exactQuantile(all, part);
          assert.ok(Math.abs((found ?? NaN) - exact) <= exact / 16, `${String(found)} in place of ${exact}`);
        }
      }),
    );
  });

  it('does not depend on the order of the additions', () => {
    fc.assert(
      fc.property(times, times, times, (first, second, third) => {
        const [a, b, c] = [countsOf(first), countsOf(second), countsOf(third)] as const;
        assert.equal(addCounts(addCounts(a, b), c).durations, addCounts(c, addCounts(b, a)).durations);
      }),
    );
  });
});
