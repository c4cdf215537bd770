import assert from 'node:assert/strict';
import { figureLine, isMet, spread } from './figure.js';

describe('isMet and figureLine', () => {
  it('accept a figure exactly at its bound, from both sides', () => {
    const figure = { what: 'a', unit: 'ms', median: 50 };
    assert.equal(isMet({ ...figure, target: { most: 50 } }), true);
    assert.equal(isMet({ ...figure, target: { most: 49 } }), false);
    assert.equal(isMet({ ...figure, target: { least: 51 } }), false);
    assert.equal(isMet({ ...figure, p95: 80, isP95: true, target: { most: 60 } }), false);
  });

  it('print the target and a miss, or only the figure without a target', () => {
    const figure = { what: 'start', unit: 'ms', median: 512 };
    assert.match(figureLine({ ...figure, target: { most: 400 } }), /^start +512 +<= 400 ms +MISSED$/);
    assert.match(figureLine(figure), /^start +512 ms$/);
  });

  it('spread returns the median and the 95th percentile', () => {
    assert.deepEqual(spread(Array.from({ length: 20 }, (_, at) => at + 1)), { median: 10, p95: 19 });
  });
});
