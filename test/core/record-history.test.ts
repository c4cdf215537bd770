import assert from 'node:assert/strict';
import { versionOf, versionOutcome } from '../../src/core/record-history.js';

describe('the version in the outcome of a change', () => {
  it('is read as it was written, also for names with blanks', () => {
    for (const version of [
      { kind: 'adapter', name: 'nso1', revision: 12 },
      { kind: 'profile', name: 'version 3 of adapter nso1', revision: 0 },
    ] as const)
      assert.deepEqual(versionOf(versionOutcome(version)), version);
  });

  it('is in no other outcome', () => {
    for (const outcome of ['', '200', 'store_unavailable', 'version 1 of form a', 'version x of adapter a'])
      assert.equal(versionOf(outcome), undefined);
  });
});
