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

  it('V-05 serves the last values during an outage of two hours, retries, and recovers', async () => {
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
  });

  it('V-05 logs the start and the end of an outage once each', async () => {
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
});

describe('the secret source while Vault returns errors', () => {
  let bench: RotationBench | undefined;
  afterEach(() => bench?.close());
  const retrying = { request: { deadlineMs: 5000, attempts: 3, concurrency: 8 } };

  it('V-07 honors Retry-After before it repeats a read, up to 30 s', async () => {
    bench = await createRotationBench({ settings: retrying });
    bench.vault.putSecret({ path: 'a' }, { p: 'c4n4ry-value-1' });
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

  it('V-08 repeats a read after 412, and treats the status codes of standby nodes as an outage', async () => {
    bench = await createRotationBench({ settings: retrying });
    bench.vault.putSecret({ path: 'a' }, { p: 'c4n4ry-value-1' });
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    bench.requests();
    bench.vault.faults.next({ status: 412 });
    await bench.pass(300);
    assert.deepEqual(bench.requests(), ['GET secret/data/a', 'GET secret/data/a']);
    for (const status of [472, 473, 474]) bench.vault.faults.next({ status, times: 1 });
    await bench.pass(300);
    assert.equal(bench.source.status().errors.get('unavailable'), 1);
    assert.deepEqual(await bench.values('nso'), { p: 'c4n4ry-value-1' });
    await bench.pass(120);
    assert.equal(bench.source.status().state, 'running');
  });

  it('V-08 reads from an uninitialized Vault (501) at most every 10 s', async () => {
    bench = await createRotationBench();
    bench.vault.putSecret({ path: 'a' }, { p: 'c4n4ry-value-1' });
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    bench.requests();
    bench.vault.faults.next({ status: 501, times: 1000 });
    await bench.pass(600);
    assert.ok(bench.requests().length <= 60);
    assert.deepEqual(await bench.values('nso'), { p: 'c4n4ry-value-1' });
  });

  it('V-10 continues to refresh after malformed replies', async () => {
    bench = await createRotationBench();
    bench.vault.putSecret({ path: 'a' }, { p: 'c4n4ry-value-1' });
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    bench.vault.faults.next({ html: '<html>log in</html>' });
    bench.vault.faults.next({ truncate: true });
    bench.vault.faults.next({ status: 200, body: { data: { data: [], metadata: null } } });
    bench.vault.putSecret({ path: 'a' }, { p: 'c4n4ry-value-2' });
    await bench.pass(900);
    assert.deepEqual(bench.changes, [['nso']]);
  });

  it('V-10 continues to refresh and notifies the other listeners when a listener throws', async () => {
    bench = await createRotationBench();
    const { source } = bench;
    const { vault } = bench;
    vault.putSecret({ path: 'a' }, { p: 'c4n4ry-value-1' });
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
    bench = await createRotationBench();
    bench.vault.putSecret({ path: 'a' }, { p: 'c4n4ry-value-1' });
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    assert.equal(bench.time.next(), 300_000);
    bench.source.watch(new Map());
    assert.equal(bench.time.next(), undefined);
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    await bench.source.close();
    assert.equal(bench.time.next(), undefined);
  });
});
