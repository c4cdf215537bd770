import assert from 'node:assert/strict';
import { createRotationBench, type RotationBench } from './rotation-bench.js';

const READ = 'GET secret/data/a';
const LEASED = { user: '$VAULT_/database/creds/ro#username' };
const CREATE = 'GET database/creds/ro';

describe('reads of secrets that a person or an orchestrator causes', () => {
  let bench: RotationBench;
  beforeEach(async () => {
    bench = await createRotationBench({ settings: { kvVersion: 'auto' } });
    bench.vault.mountDatabase('database');
    bench.vault.putSecret({ path: 'a' }, { password: 'c4n4ry-1' });
    await bench.use({ nso: { password: '$VAULT_a#password' }, other: { password: '$VAULT_a#password' } });
    bench.requests();
  });
  afterEach(() => bench.close());

  const reads = (): readonly string[] => bench.requests().filter((one) => !/sys\/|auth\/token/.test(one));
  const refuse = (owner = 'nso') => bench.source.refreshAfterRefusal(owner);
  const rotate = (version: number) => {
    bench.vault.putSecret({ path: 'a' }, { password: `c4n4ry-${version}` });
  };

  it('find each of several rotations a second apart (bug: pauses of 5 and 30 s lost calls)', async () => {
    for (const version of [2, 3, 4]) {
      rotate(version);
      assert.equal(await refuse(), true, `version ${version}`);
      await bench.pass(1);
    }
    assert.equal(await refuse(), false);
    await bench.pass(2);
    rotate(5);
    assert.equal(await refuse(), true, 'after a read that found no change');
  });

  it('S-08 are one in a second for each secret, however many adapters are refused', async () => {
    assert.deepEqual([await refuse(), await refuse('other'), await refuse()], [false, false, false]);
    assert.deepEqual(reads(), [READ]);
    await bench.pass(0.999);
    await refuse();
    assert.deepEqual(reads(), []);
    // The confirmation after one second counts as well.
    await bench.pass(0.001);
    await refuse('other');
    assert.deepEqual(reads(), [READ]);
  });

  it('are at least 5 s apart for leased credentials, which each read creates', async () => {
    bench.vault.createDatabaseRole('ro');
    await bench.use({ nso: LEASED });
    bench.requests();
    const created = () => bench.requests().filter((one) => one === CREATE).length;
    assert.equal(await refuse(), true);
    await bench.pass(4.9);
    assert.deepEqual([await refuse(), created()], [false, 1]);
    await bench.pass(0.1);
    assert.deepEqual([await refuse(), created()], [true, 1]);
  });

  it('happen again after 1 and 3 s if they found the same values (bug: a standby answered with the old one)', async () => {
    await bench.source.refresh();
    assert.deepEqual(reads(), [READ]);
    await bench.pass(0.5);
    rotate(2);
    await bench.pass(0.5);
    assert.deepEqual(reads(), [READ]);
    await bench.pass(0.1);
    assert.deepEqual(bench.changes, [['nso', 'other']]);
    await bench.pass(1.9);
    assert.deepEqual(reads(), [READ]);
    await bench.pass(200);
    assert.deepEqual(reads(), []);
  });

  it('happen again after a refusal, too', async () => {
    assert.equal(await refuse(), false);
    await bench.pass(2);
    rotate(2);
    await bench.pass(1.1);
    assert.deepEqual(bench.changes, [['nso', 'other']]);
  });

  it('happen once if they found other values, and for leases', async () => {
    rotate(2);
    await bench.source.refresh();
    await bench.pass(10);
    assert.deepEqual(reads(), [READ]);
    bench.vault.createDatabaseRole('ro');
    await bench.use({ nso: LEASED });
    bench.requests();
    await bench.source.refresh();
    await bench.pass(10);
    assert.ok(!reads().includes(CREATE));
  });
});
