import assert from 'node:assert/strict';
import {
  clientsOf,
  type Deprecation,
  sharesOf,
  usageSummary,
  replacementAdviceOf,
} from '../../../console/src/pages/deprecations/deprecation.js';
import { column } from '../../support/columns.js';

function row(operation: string, callers: readonly (readonly [string, number])[] = []): Deprecation {
  const lastCall = '2026-01-01T00:00:00.000Z';
  return {
    operation,
    method: 'GET',
    path: `/${operation}`,
    stage: 'deprecated',
    deprecatedIn: '2020.2',
    removedIn: '2021.2',
    removedOn: '2021-04-01',
    replacements: [],
    calls: callers.reduce((sum, [, calls]) => sum + calls, 0),
    lastCall,
    callers: callers.map(([caller, calls]) => ({ caller, issuer: 'i', calls, lastCall })),
  };
}

describe('the usage of deprecated operations', () => {
  it('rates uncalled operations as safe to remove, and removed operations that are called as urgent', () => {
    const words = (['current', 'deprecated', 'removed'] as const).map((stage) =>
      [0, 3].map((calls) => replacementAdviceOf({ stage, calls }).word),
    );
    assert.deepEqual(words, [
      ['Not called', 'Still called'],
      ['Safe to remove', 'Still called'],
      ['Removed', 'Removed, still called'],
    ]);
    assert.ok(
      replacementAdviceOf({ stage: 'removed', calls: 1 }).rank <
        replacementAdviceOf({ stage: 'deprecated', calls: 1 }).rank,
    );
  });

  it('lists the clients, the busiest first, with all operations that they call', () => {
    const clients = clientsOf([row('a', Object.entries({ cron: 2, bob: 1 })), row('b', [['bob', 7]])]);
    const found = clients.map(({ caller, calls, operations }) => `${caller} ${calls} ${operations.length}`);
    assert.deepEqual(found, ['bob 8 2', 'cron 2 1']);
  });

  it('computes shares of the given total, and sums up the other callers, including unlisted calls', () => {
    const callers = Object.entries({ a: 5, b: 4, c: 3, d: 2, e: 1 });
    const shares = sharesOf({ ...row('x', callers), calls: 17 }, 20);
    assert.deepEqual(column(shares, 'name'), ['a', 'b', 'c', 'd', 'others']);
    assert.deepEqual(column(shares, 'count'), [5, 4, 3, 2, 3]);
    assert.equal(shares[0]?.share, 0.25);
    assert.deepEqual(sharesOf(row('x'), 1), []);
  });

  it('summarizes how many operations and clients are concerned', () => {
    assert.equal(usageSummary([row('a'), row('b')]), 'None of 2 was called in the last 90 days.');
    const summary = usageSummary([row('a', [['bob', 1]]), row('b')]);
    assert.equal(summary, '1 of 2 was called in the last 90 days, by 1 client.');
  });
});
