import assert from 'node:assert/strict';
import { createRotationBench, type RotationBench } from './rotation-bench.js';

const HOUR = 3600;

for (const flavour of ['vault', 'openbao'] as const) {
  describe(`secrets while Vault is away (${flavour})`, () => {
    let bench: RotationBench;
    beforeEach(async () => {
      bench = await createRotationBench({ flavour });
      bench.vault.putSecret({ path: 'a' }, { p: '1' });
    });
    afterEach(() => bench.close());

    it('V-05 serves on through an outage of two hours, asks on, and recovers by itself', async () => {
      await bench.use({ nso: { p: '$VAULT_a#p' } });
      assert.equal(bench.source.status().state, 'running');
      bench.vault.seal();
      await bench.pass(2 * HOUR);
      const status = bench.source.status();
      assert.equal(status.state, 'degraded');
      assert.equal(status.staleSeconds.get('nso'), 2 * HOUR);
      // Every 30 s after the first look failed.
      assert.equal(status.errors.get('unavailable'), 1 + (2 * HOUR - 300) / 30);
      assert.deepEqual(await bench.values('nso'), { p: '1' });
      assert.deepEqual(bench.changes, []);
      bench.vault.putSecret({ path: 'a' }, { p: '2' });
      bench.vault.unseal();
      await bench.pass(32);
      assert.equal(bench.source.status().state, 'running');
      assert.deepEqual(bench.changes, [['nso']]);
    });

    it('V-05 says once that it goes on with what it has, and once that Vault is back', async () => {
      await bench.use({ nso: { p: '$VAULT_a#p' } });
      bench.vault.seal();
      await bench.pass(HOUR);
      bench.vault.unseal();
      await bench.pass(60);
      const events = bench.log.filter(({ message }) => message.includes('confirmed'));
      assert.deepEqual(
        events.map(({ level, fields }) => [level, fields['path'], fields['class']]),
        [
          ['error', 'secret/data/a', 'unavailable'],
          ['info', 'secret/data/a', undefined],
        ],
      );
    });

    it('V-06 has failed when values were not confirmed for too long, and still serves them', async () => {
      await bench.use({ nso: { p: '$VAULT_a#p' } });
      bench.vault.seal();
      await bench.pass(24 * HOUR);
      assert.equal(bench.source.status().state, 'degraded');
      await bench.pass(1);
      assert.equal(bench.source.status().state, 'failed');
      assert.deepEqual(await bench.values('nso'), { p: '1' });
      bench.vault.unseal();
      await bench.pass(60);
      assert.equal(bench.source.status().state, 'running');
    });

    it('A-12 serves what was denied or missing at first as soon as it is mended', async () => {
      await bench.use({ nso: { p: '$VAULT_late#p' } });
      assert.deepEqual(await bench.values('nso'), { p: 'VAULT_NOT_FOUND' });
      assert.equal(bench.source.status().state, 'running');
      bench.vault.putSecret({ path: 'late' }, { p: '1' });
      await bench.pass(330);
      assert.deepEqual(bench.changes, [['nso']]);
      assert.deepEqual(await bench.values('nso'), { p: '1' });
    });
  });
}

describe('secrets while Vault is away', () => {
  let bench: RotationBench | undefined;
  afterEach(() => bench?.close());
  const retrying = { request: { deadlineMs: 5000, attempts: 3, concurrency: 8 } };

  it('V-07 waits as long as Vault asks before a look is repeated, and no longer than 30 s', async () => {
    bench = await createRotationBench({ settings: retrying });
    bench.vault.putSecret({ path: 'a' }, { p: '1' });
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    const limited = (after?: string): void => {
      bench?.vault.faults.next({
        status: 429,
        ...(after !== undefined && { headers: { 'retry-after': after } }),
      });
    };
    limited('7');
    limited('99999');
    await bench.pass(300);
    assert.deepEqual(bench.waits, [7000, 30_000]);
    limited();
    await bench.pass(300);
    assert.equal(bench.waits[2], 750);
    assert.equal(bench.source.status().state, 'running');
  });

  it('V-08 repeats a 412, and takes the codes of standby nodes for an outage', async () => {
    bench = await createRotationBench({ settings: retrying });
    bench.vault.putSecret({ path: 'a' }, { p: '1' });
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    bench.requests();
    bench.vault.faults.next({ status: 412 });
    await bench.pass(300);
    assert.deepEqual(bench.requests(), ['GET secret/data/a', 'GET secret/data/a']);
    for (const status of [472, 473, 474]) bench.vault.faults.next({ status, times: 1 });
    await bench.pass(300);
    assert.equal(bench.source.status().errors.get('unavailable'), 1);
    assert.deepEqual(await bench.values('nso'), { p: '1' });
    await bench.pass(120);
    assert.equal(bench.source.status().state, 'running');
  });

  it('V-08 asks a Vault that is not set up (501) no more often than every 10 s', async () => {
    bench = await createRotationBench();
    bench.vault.putSecret({ path: 'a' }, { p: '1' });
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    bench.requests();
    bench.vault.faults.next({ status: 501, times: 1000 });
    await bench.pass(600);
    assert.ok(bench.requests().length <= 60);
    assert.deepEqual(await bench.values('nso'), { p: '1' });
  });

  it('V-10 looks on after replies that poison a look', async () => {
    bench = await createRotationBench();
    bench.vault.putSecret({ path: 'a' }, { p: '1' });
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    bench.vault.faults.next({ html: '<html>log in</html>' });
    bench.vault.faults.next({ truncate: true });
    bench.vault.faults.next({ status: 200, body: { data: { data: [], metadata: null } } });
    bench.vault.putSecret({ path: 'a' }, { p: '2' });
    await bench.pass(900);
    assert.deepEqual(bench.changes, [['nso']]);
  });

  it('V-10 looks on, and tells the others, when a listener throws', async () => {
    bench = await createRotationBench();
    const { vault, source } = bench;
    vault.putSecret({ path: 'a' }, { p: '1' });
    const told: string[] = [];
    source.onChange(() => {
      throw new Error('CANARY');
    });
    source.onChange((owners) => told.push(...owners));
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    for (const p of ['2', '3']) {
      vault.putSecret({ path: 'a' }, { p });
      await bench.pass(330);
    }
    assert.deepEqual(told, ['nso', 'nso']);
    assert.ok(!JSON.stringify(bench.log).includes('CANARY'));
  });

  it('keeps no time when nothing is in use, and none after the end', async () => {
    bench = await createRotationBench();
    bench.vault.putSecret({ path: 'a' }, { p: '1' });
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    assert.equal(bench.time.next(), 300_000);
    bench.source.watch(new Map());
    assert.equal(bench.time.next(), undefined);
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    await bench.source.close();
    assert.equal(bench.time.next(), undefined);
  });
});
