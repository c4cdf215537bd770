import assert from 'node:assert/strict';
import {
  hasProblem,
  type Reference,
  resolutionOf,
  rotationOf,
  formatSeconds,
} from '../../../console/src/pages/secrets/secret.js';

const FINE: Reference = {
  reference: '$VAULT_a#b',
  usedBy: [],
  resolves: true,
  cause: null,
  fix: null,
  fetchedAt: null,
  version: 1,
  leaseSeconds: null,
  renewable: null,
  rotation: 'current',
};

describe('the state of a secret reference', () => {
  it('is described in words', () => {
    assert.deepEqual(
      [true, false, null].map((resolves) => resolutionOf({ resolves }).word),
      ['resolves', 'does not resolve', 'not checked yet'],
    );
    assert.equal(rotationOf({ rotation: 'pending' }).word, 'changed, not applied yet');
  });

  it('is a problem when it does not resolve or is stale, but not while unchecked', () => {
    assert.equal(hasProblem(FINE), false);
    assert.equal(hasProblem({ ...FINE, resolves: null }), false);
    assert.equal(hasProblem({ ...FINE, resolves: false }), true);
    assert.equal(hasProblem({ ...FINE, rotation: 'stale' }), true);
    assert.equal(hasProblem({ ...FINE, rotation: 'ended' }), true);
  });

  it('shows durations in whole units', () => {
    assert.deepEqual([-5, 0, 59, 119, 120, 7200, 172_800].map(formatSeconds), [
      '0 s',
      '0 s',
      '59 s',
      '119 s',
      '2 min',
      '2 h',
      '2 d',
    ]);
  });
});
