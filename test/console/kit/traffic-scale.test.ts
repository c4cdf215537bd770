import assert from 'node:assert/strict';
import { clippedScale, logHeight, logScale } from '../../../console/src/kit/traffic-shapes.js';

describe('clippedScale', () => {
  it('ends at a round number above the highest value', () => {
    assert.deepEqual(clippedScale([3, 8, 12]), { top: 20, isClipped: false });
    assert.deepEqual(clippedScale([]), { top: 1, isClipped: false });
  });

  it('D36: is not flattened by one spike', () => {
    const values = [...Array.from({ length: 59 }, () => 10), 5_000];
    assert.deepEqual(clippedScale(values), { top: 20, isClipped: true });
  });
});

describe('logScale', () => {
  it('has whole decades around all durations', () => {
    assert.deepEqual(logScale([8, 240]).lines, [1, 10, 100, 1_000]);
    assert.deepEqual(logScale([]).lines, [10, 100]);
    assert.deepEqual(logScale([0, 1]).lines, [1, 10]);
  });

  it('places a duration by its logarithm, within the scale', () => {
    const scale = logScale([1, 1_000]);
    assert.ok(Math.abs(logHeight(10, scale) - 1 / 3) < 1e-9);
    assert.deepEqual([logHeight(0, scale), logHeight(1e9, scale)], [0, 1]);
  });
});
