import assert from 'node:assert/strict';
import { createRotationBench, type RotationBench } from './rotation-bench.js';

const HOUR = 3600;
/** In each half minute of an outage, the source sends a request. */
const MAX_AGE_HOURS = 3;

describe('the secret source during a Vault outage', () => {
  let bench: RotationBench;
  beforeEach(async () => {
    const refresh = {
      intervalSeconds: 300,
      jitter: 0.1,
      maxStaleSeconds: MAX_AGE_HOURS * HOUR,
      onAuthFailure: true,
    };
    bench = await createRotationBench({ settings: { refresh } });
    bench.vault.putSecret({ path: 'a' }, { p: 'c4n4ry-value-1' });
  });
  afterEach(() => bench.close());

  it('V-05 serves the last values during an outage of two hours, retries, recovers, and logs its start and end once each', async () => {
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    assert.equal(bench.source.status().state, 'running');
    bench.vault.seal();
    await bench.pass(2 * HOUR);
    const status = bench.source.status();
    assert.equal(status.state, 'degraded');
    assert.equal(status.staleSeconds.get('nso'), 2 * HOUR);
    // A read every 30 s after the first failed read.
    assert.equal(status.errors.get('unavailable'), 1 + (2 * HOUR - 300) / 30);
    assert.deepEqual(await bench.values('nso'), { p: 'c4n4ry-value-1' });
    assert.deepEqual(bench.changes, []);
    bench.vault.putSecret({ path: 'a' }, { p: 'c4n4ry-value-2' });
    bench.vault.unseal();
    await bench.pass(32);
    assert.equal(bench.source.status().state, 'running');
    assert.deepEqual(bench.changes, [['nso']]);
    const events = bench.log.filter(({ message }) => message.includes('confirmed'));
    assert.deepEqual(
      events.map(({ level, fields }) => [level, fields['path'], fields['class']]),
      [
        ['error', 'secret/data/a', 'unavailable'],
        ['info', 'secret/data/a', undefined],
      ],
    );
  });

  it('V-06 reports the state failed after the maximum age, and still serves the last values', async () => {
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    bench.vault.seal();
    await bench.pass(MAX_AGE_HOURS * HOUR);
    assert.equal(bench.source.status().state, 'degraded');
    await bench.pass(1);
    assert.equal(bench.source.status().state, 'failed');
    assert.deepEqual(await bench.values('nso'), { p: 'c4n4ry-value-1' });
    bench.vault.unseal();
    await bench.pass(60);
    assert.equal(bench.source.status().state, 'running');
  });
  it('A-12 serves a secret that was missing at first as soon as it exists', async () => {
    await bench.use({ nso: { p: '$VAULT_late#p' } });
    assert.deepEqual(await bench.values('nso'), { p: 'VAULT_NOT_FOUND' });
    assert.equal(bench.source.status().state, 'running');
    bench.vault.putSecret({ path: 'late' }, { p: 'c4n4ry-value-1' });
    await bench.pass(330);
    assert.deepEqual(bench.changes, [['nso']]);
    assert.deepEqual(await bench.values('nso'), { p: 'c4n4ry-value-1' });
  });

  it('V-10 continues to refresh after malformed replies', async () => {
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    bench.vault.faults.next({ html: '<html>log in</html>' });
    bench.vault.faults.next({ truncate: true });
    bench.vault.faults.next({ status: 200, body: { data: { data: [], metadata: null } } });
    bench.vault.putSecret({ path: 'a' }, { p: 'c4n4ry-value-2' });
    await bench.pass(900);
    assert.deepEqual(bench.changes, [['nso']]);
  });

  it('V-10 continues to refresh and notifies the other listeners when a listener throws', async () => {
    const { source, vault } = bench;
    const notified: string[] = [];
    source.onChange(() => {
      throw new Error('CANARY');
    });
    source.onChange((owners) => notified.push(...owners));
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    for (const p of ['2', '3']) {
      vault.putSecret({ path: 'a' }, { p });
      await bench.pass(330);
    }
    assert.deepEqual(notified, ['nso', 'nso']);
    assert.ok(!JSON.stringify(bench.log).includes('CANARY'));
  });

  it('has no timer when no reference is in use or the source is closed', async () => {
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    assert.equal(bench.time.next(), 300_000);
    bench.source.watch(new Map());
    assert.equal(bench.time.next(), undefined);
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    await bench.source.close();
    assert.equal(bench.time.next(), undefined);
  });
});
