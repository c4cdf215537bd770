import assert from 'node:assert/strict';
import { createRotationBench, type RotationBench } from './rotation-bench.js';

describe('inUse', () => {
  let bench: RotationBench;
  beforeEach(async () => {
    bench = await createRotationBench();
    bench.vault.putSecret({ path: 'a' }, { user: 'c4n4ry-user', password: 'c4n4ry-password' });
  });
  afterEach(() => bench.close());

  it('returns each reference once, with its users and its failure', async () => {
    await bench.use({
      nso: { p: '$VAULT_a#password', u: '$VAULT_a#user' },
      other: { p: '$SECRET_a $KEY_password', q: '$VAULT_a#none' },
      late: { p: '$VAULT_late#p' },
    });
    const all = bench.source.inUse();
    assert.deepEqual(
      all.map(({ reference, state, failure, usedBy }) => [
        reference,
        state,
        failure?.code,
        usedBy.map(({ owner, pointer }) => owner + pointer).join(' '),
      ]),
      [
        ['$VAULT_a#password', 'current', undefined, 'nso/p other/p'],
        ['$VAULT_a#user', 'current', undefined, 'nso/u'],
        ['$VAULT_a#none', 'missing', 'VAULT_FIELD_MISSING', 'other/q'],
        ['$VAULT_late#p', 'missing', 'VAULT_NOT_FOUND', 'late/p'],
      ],
    );
    assert.equal(all[0]?.goodAt, all[1]?.goodAt);
    assert.doesNotMatch(JSON.stringify(all), /c4n4ry/);
  });
});
