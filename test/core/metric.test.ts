import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addDurations } from '../../src/core/metric.js';
import { durationCounts, joinDurations } from '../../src/features/traffic/traffic.js';

const sums = fc.array(fc.nat({ max: 2 ** 31 - 1 }), { maxLength: 120 });

describe('the counts of durations', () => {
  it('give back the sums that they were made of', () => {
    fc.assert(
      fc.property(sums, (calls) => {
        const found = new Float64Array(calls.length);
        addDurations(found, durationCounts(calls));
        assert.deepEqual([...found], calls);
      }),
    );
  });

  it('are joined by bucket, the lowest first, without empty buckets', () => {
    assert.equal(joinDurations('40:1', '12:3 40:2'), '12:3 40:3');
    assert.equal(joinDurations('', '7:1'), '7:1');
    assert.equal(durationCounts([0, 2, 0]), '1:2');
  });

  it('ignore a bucket that the sums do not have', () => {
    const found = new Float64Array(2);
    addDurations(found, '1:5 9:7');
    assert.deepEqual([...found], [0, 5]);
  });
});
