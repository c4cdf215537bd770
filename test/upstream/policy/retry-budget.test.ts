import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createRetryBudget, RETRY_RESERVE } from '../../../src/upstream/policy/retry.js';

describe('the retry budget', () => {
  it('never permits more than its percentage of the calls plus the reserve, in any order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.array(fc.boolean(), { maxLength: 500 }),
        (percent, isCall) => {
          const budget = createRetryBudget(percent);
          let [calls, retries] = [0, 0];
          for (const call of isCall) {
            if (call) {
              budget.deposit();
              calls += 1;
            } else if (budget.withdraw()) {
              retries += 1;
            }
            assert.ok(retries <= RETRY_RESERVE + (calls * percent) / 100);
          }
        },
      ),
    );
  });

  it('accumulates at most the reserve', () => {
    const budget = createRetryBudget(10);
    for (let call = 0; call < 10_000; call += 1) budget.deposit();
    let given = 0;
    while (budget.withdraw()) given += 1;
    assert.equal(given, RETRY_RESERVE);
  });

  it('permits one retry for ten calls when the reserve is used up', () => {
    const budget = createRetryBudget(10);
    while (budget.withdraw());
    for (let call = 0; call < 9; call += 1) budget.deposit();
    assert.equal(budget.withdraw(), false);
    budget.deposit();
    assert.deepEqual([budget.withdraw(), budget.withdraw()], [true, false]);
  });

  it('permits no retry at 0 percent', () => {
    const budget = createRetryBudget(0);
    budget.deposit();
    assert.equal(budget.withdraw(), false);
  });
});
