import assert from 'node:assert/strict';
import { join } from 'node:path';
import { silentLog } from '../../src/core/log.js';
import { findReferences } from '../../src/secrets/find-references.js';
import { openSecrets } from '../../src/secrets/open-secrets.js';
import type { SecretInUse } from '../../src/secrets/secret-status.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { writeInput } from '../support/input-file.js';
import { recordTraffic } from '../support/recorded-traffic.js';
import { temporaryFolder } from '../support/temporary-folder.js';
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
    const usersOf = ({ usedBy }: SecretInUse) =>
      usedBy.map(({ owner, pointer }) => owner + pointer).join(' ');
    assert.deepEqual(
      all.map((one) => [one.reference, one.state, one.failure?.code, usersOf(one)]),
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

  it('shows times of the wall clock after it was corrected (bug: times of the clock at the start)', async () => {
    const scheduler = createFakeScheduler();
    const wall = { shiftMs: 0, now: () => scheduler.now() + wall.shiftMs };
    const folder = temporaryFolder().path;
    writeInput(join(folder, 'a'), 'c4n4ry-password');
    const files = { root: folder, maxBytes: 1024, pollSeconds: 60, adapterScope: '' };
    const { openHttpClient } = recordTraffic();
    const deps = { openHttpClient, env: {}, scheduler, clock: wall, log: silentLog };
    const source = openSecrets({ vault: null, secrets: { files } }, deps);
    const { references } = findReferences({ p: '$FILE_a' });
    await source.resolve(references);
    source.watch(new Map([['nso', references]]));
    const before = source.inUse()[0]?.goodAt ?? 0;
    wall.shiftMs = 86_400_000;
    assert.equal(source.inUse()[0]?.goodAt, before + 86_400_000);
    await source.close();
  });
});
