import assert from 'node:assert/strict';
import { countedBy, permittedBy, stateOf } from '../../../console/src/pages/limits/limit.js';
import type { LimitView } from '../../../src/core/limits.js';

const LIMIT: LimitView = {
  enabled: true,
  name: 'scripts',
  per: 'subject',
  operations: [],
  adapters: [],
  roles: [],
  callerNames: [],
  requests: 100,
  periodSeconds: 60,
  burst: null,
  concurrent: null,
  callers: 0,
  refused: 0,
};

describe('a limit on its page', () => {
  it('names the state of a caller', () => {
    const found = [0, 79, 80, 100].map((usedPercent) => stateOf({ usedPercent }).status);
    assert.deepEqual(found, ['good', 'good', 'warning', 'bad']);
  });

  it('says what it permits', () => {
    assert.deepEqual(permittedBy(LIMIT), ['100 calls in 60 seconds']);
    assert.deepEqual(permittedBy({ ...LIMIT, requests: 1, periodSeconds: 1, burst: 1, concurrent: 5 }), [
      '1 call in 1 second',
      'at most 1 at once',
      '5 calls running at once',
    ]);
  });

  it('says what it counts', () => {
    assert.deepEqual(countedBy(LIMIT), ['all calls']);
    const actual = countedBy({ ...LIMIT, operations: ['a.*', 'b.c'], adapters: ['lab-*'], roles: ['robot'] });
    assert.deepEqual(actual, ['operations: a.* and b.c', 'adapters: lab-*', 'roles: robot']);
  });
});
