import assert from 'node:assert/strict';
import { ByteBudget } from '../../src/lib/byte-budget.js';

describe('ByteBudget', () => {
  it('admits as many bytes as it has, and again what was released', () => {
    const budget = new ByteBudget({ bytes: 100, bytesPerOwner: 100 });
    const [first, second] = [budget.open('a'), budget.open('b')];
    assert.equal(first.resize(60), true);
    assert.equal(second.resize(50), false);
    assert.equal(budget.reserved, 60);
    assert.equal(second.resize(40), true);
    first.release();
    assert.equal(second.resize(100), true);
    second.release();
    assert.equal(budget.reserved, 0);
  });

  it('leaves room for others beside an owner that takes what it can', () => {
    const budget = new ByteBudget({ bytes: 100, bytesPerOwner: 75 });
    assert.equal(budget.open('a').resize(75), true);
    assert.equal(budget.open('a').resize(1), false);
    assert.equal(budget.open('b').resize(25), true);
  });

  it('counts nothing twice when a reservation shrinks and is released', () => {
    const budget = new ByteBudget({ bytes: 100, bytesPerOwner: 100 });
    const one = budget.open('a');
    assert.deepEqual([one.resize(80), one.resize(20)], [true, true]);
    assert.equal(budget.reserved, 20);
    one.release();
    one.release();
    assert.equal(budget.reserved, 0);
    assert.equal(one.resize(1), false);
  });
});
