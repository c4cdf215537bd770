import assert from 'node:assert/strict';
import { countsOf } from '../../../console/src/pages/overview/adapter-counts.js';
import { observedAdapter } from '../observed.js';

describe('the counts of adapters on the overview', () => {
  it('does not count paused adapters as running', () => {
    const adapters = [
      observedAdapter({ name: 'a' }),
      observedAdapter({ name: 'b', suspended: 'paused' }),
      observedAdapter({ name: 'c', suspended: 'refusing' }),
      observedAdapter({ name: 'd', state: 'STOPPED' }),
    ];
    assert.deepEqual(countsOf(adapters), { running: 1, paused: 2 });
  });
});
