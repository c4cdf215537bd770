import assert from 'node:assert/strict';
import { median, perRoundRatios, spreadOf } from './round-spread.js';

describe('figures over the rounds', () => {
  it('have the median of odd and even numbers of values', () => {
    assert.equal(median([9, 1, 4]), 4);
    assert.equal(median([9, 1, 4, 6]), 5);
    assert.equal(median([7]), 7);
    assert.ok(Number.isNaN(median([])));
  });

  it('have the least and the most of the rounds that were measured', () => {
    assert.deepEqual(spreadOf([4, Number.NaN, 1, 9]), { median: 4, least: 1, most: 9 });
    assert.ok(Number.isNaN(spreadOf([Number.NaN]).least));
  });

  it('are compared within a round, never across rounds', () => {
    const own = new Map([
      [1, 10],
      [2, 40],
      [3, 90],
    ]);
    const others = new Map([
      [1, 10],
      [2, 20],
      [4, 1],
    ]);
    assert.deepEqual(perRoundRatios(own, others), [1, 2]);
  });
});
