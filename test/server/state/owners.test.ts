import assert from 'node:assert/strict';
import { staleOwners, sectionOf } from '../../../src/server/state/owners.js';

describe('staleOwners', () => {
  it('returns the sections that failed to be replaced or are not replaced yet, including the main file', () => {
    const outdated = new Map([
      ['', 'why'],
      ['core1', 'why'],
    ]);
    const stale = staleOwners({ outdated }, new Set(['core2']));
    assert.deepEqual([...stale].map(sectionOf), ['', 'core1', 'core2']);
    assert.ok(!stale.has(''), 'the main file is called as the source of secrets calls it');
  });
});
