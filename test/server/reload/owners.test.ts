import assert from 'node:assert/strict';
import { staleOwners, sectionOf } from '../../../src/server/reload/owners.js';

describe('the owners of references', () => {
  it('are behind when they could not be replaced, or were not yet; the main file too', () => {
    const outdated = new Map([
      ['', 'why'],
      ['core1', 'why'],
    ]);
    const behind = staleOwners({ outdated }, new Set(['core2']));
    assert.deepEqual([...behind].map(sectionOf), ['', 'core1', 'core2']);
    assert.ok(!behind.has(''), 'the main file is called as the source of secrets calls it');
  });
});
