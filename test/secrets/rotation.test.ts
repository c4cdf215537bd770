import assert from 'node:assert/strict';
import { findReferences } from '../../src/secrets/find-references.js';
import type { VaultSettings } from '../../src/settings/vault.js';
import { createRotationBench, type RotationBench } from './rotation-bench.js';

describe('the rotation of secrets', () => {
  let bench: RotationBench;
  beforeEach(async () => {
    bench = await createRotationBench();
    put(1);
    bench.vault.putSecret({ path: 'b' }, { password: 'c4n4ry-key-1' });
  });
  afterEach(() => bench.close());

  /** Writes a password and, by default the first, a user and a note. */
  const put = (password: number, user = 1, note = 1): void => {
    const fields = {
      user: `c4n4ry-user-${user}`,
      password: `c4n4ry-password-${password}`,
      note: `c4n4ry-note-${note}`,
    };
    bench.vault.putSecret({ path: 'a' }, fields);
  };

  const nso = { user: '$VAULT_a#user', password: '$VAULT_a#password' };

  it('S-01 notifies the owners of a changed field once, within the interval', async () => {
    await bench.use({ nso, other: { password: '$VAULT_b#password' }, noted: { note: '$VAULT_a#note' } });
    put(2);
    await bench.pass(330);
    assert.deepEqual(bench.changes, [['nso']]);
    assert.deepEqual(await bench.values('nso'), { user: 'c4n4ry-user-1', password: 'c4n4ry-password-2' });
    await bench.pass(3600);
    assert.equal(bench.changes.length, 1);
  });

  // Copying the owners for each owner would take longer than a test may.
  it('S-01 notifies 20,000 owners of one secret', async () => {
    await bench.use({ nso });
    const { references } = findReferences(nso);
    const names = Array.from({ length: 20_000 }, (_, number) => `device${number}`).sort();
    bench.source.watch(new Map(names.map((name) => [name, references])));
    put(2);
    await bench.pass(330);
    assert.deepEqual(bench.changes, [names]);
  });

  it('S-01 reads each secret once per interval, and pinned versions never', async () => {
    await bench.use({ nso, pinned: { p: '$VAULT_a?version=1#password' } });
    bench.requests();
    await bench.pass(3000);
    assert.deepEqual(bench.requests(), Array(10).fill('GET secret/data/a'));
  });

  it('S-03 does not notify owners of a new version with the same values, but logs its number', async () => {
    await bench.use({ nso });
    put(1);
    await bench.pass(660);
    assert.deepEqual(bench.changes, []);
    const [line] = bench.log.filter(({ message }) => message.startsWith('secret has a new version'));
    assert.deepEqual([line?.fields['oldVersion'], line?.fields['version']], [1, 2]);
  });

  it('S-04 combines two rotations within two seconds in one notification', async () => {
    await bench.use({ nso: { ...nso, key: '$VAULT_b#password' } });
    put(2, 2);
    bench.vault.putSecret({ path: 'b' }, { password: 'c4n4ry-key-2' });
    await bench.pass(330);
    assert.deepEqual(bench.changes, [['nso']]);
    assert.deepEqual(await bench.values('nso'), {
      user: 'c4n4ry-user-2',
      password: 'c4n4ry-password-2',
      key: 'c4n4ry-key-2',
    });
  });

  it('S-06 keeps all fields of the old version when the new version lacks a field', async () => {
    await bench.use({ nso });
    bench.vault.putSecret({ path: 'a' }, { user: 'c4n4ry-user-2' });
    await bench.pass(3000);
    assert.deepEqual(bench.changes, []);
    assert.deepEqual(await bench.values('nso'), { user: 'c4n4ry-user-1', password: 'c4n4ry-password-1' });
    assert.deepEqual(errorsOf(bench), ['VAULT_FIELD_MISSING']);
    put(3, 3);
    await bench.pass(330);
    assert.deepEqual(bench.changes, [['nso']]);
    assert.deepEqual(await bench.values('nso'), { user: 'c4n4ry-user-3', password: 'c4n4ry-password-3' });
  });

  it('S-08 reads at once after a refusal, and returns whether the value has changed', async () => {
    await bench.use({ nso });
    assert.equal(await bench.source.refreshAfterRefusal('nso'), false);
    await bench.pass(31);
    put(2);
    bench.requests();
    const storm = Array.from({ length: 20 }, () => bench.source.refreshAfterRefusal('nso'));
    assert.deepEqual(await Promise.all(storm), Array(20).fill(true));
    // The change was read and is not announced yet.
    assert.equal(await bench.source.refreshAfterRefusal('nso'), true);
    await bench.pass(0.9);
    assert.deepEqual(bench.changes, [['nso']]);
    assert.equal(await bench.source.refreshAfterRefusal('nso'), false);
    assert.deepEqual(bench.requests(), ['GET secret/data/a']);
  });

  it('reads every secret on refresh()', async () => {
    await bench.use({ nso, other: { password: '$VAULT_b#password' } });
    bench.requests();
    bench.vault.putSecret({ path: 'b' }, { password: 'c4n4ry-key-2' });
    await bench.source.refresh();
    assert.deepEqual(bench.changes, [['other']]);
    assert.deepEqual([...bench.requests()].sort(), ['GET secret/data/a', 'GET secret/data/b']);
  });
});

describe('the rotation of secrets with other settings', () => {
  let bench: RotationBench;
  afterEach(() => bench.close());

  /** Opens a bench with one secret, which one owner uses. */
  async function start(settings: Partial<VaultSettings> = {}): Promise<void> {
    bench = await createRotationBench({ settings });
    bench.vault.putSecret({ path: 'a', mount: settings.mount ?? 'secret' }, { p: 'CANARY-1', other: 'x' });
    await bench.use({ nso: { p: '$VAULT_a#p' } });
    bench.requests();
  }

  it('S-08 does not read after a refusal when onAuthFailure is off', async () => {
    await start({
      refresh: { intervalSeconds: 300, jitter: 0, maxStaleSeconds: 86_400, onAuthFailure: false },
    });
    assert.equal(await bench.source.refreshAfterRefusal('nso'), false);
    assert.deepEqual(bench.requests(), []);
  });

  it('S-14 reads KV version 1 every 300 s, or at the interval in its key "ttl" or "lease"', async () => {
    bench = await createRotationBench({ settings: { kvVersion: 1, mount: 'kv' } });
    const secrets = { plain: {}, often: { ttl: '60s' }, tooOften: { lease: 5 }, rarely: { ttl: '1h30m' } };
    for (const [path, more] of Object.entries(secrets))
      bench.vault.putSecret({ mount: 'kv', path }, { p: 'c4n4ry-value-1', ...more });
    const names = Object.keys(secrets);
    await bench.use({ nso: Object.fromEntries(names.map((name) => [name, `$VAULT_${name}#p`])) });
    bench.requests();
    await bench.pass(5400);
    const asked = bench.requests();
    const counts = names.map((name) => asked.filter((one) => one === `GET kv/${name}`).length);
    assert.deepEqual(counts, [18, 90, 180, 1]);
  });

  it('S-01 detects a rotation in KV version 1, which has no version numbers', async () => {
    await start({ kvVersion: 1, mount: 'kv' });
    bench.vault.putSecret({ mount: 'kv', path: 'a' }, { p: 'CANARY-1', other: 'y' });
    await bench.pass(330);
    assert.deepEqual(bench.changes, []);
    bench.vault.putSecret({ mount: 'kv', path: 'a' }, { p: 'CANARY-2', other: 'y' });
    await bench.pass(330);
    assert.deepEqual(bench.changes, [['nso']]);
  });

  it('stops reading a secret that no reference names', async () => {
    await start();
    bench.vault.putSecret({ path: 'b' }, { p: 'CANARY-1' });
    await bench.use({ nso: { p: '$VAULT_b#p' } });
    bench.requests();
    await bench.pass(330);
    assert.deepEqual(bench.requests(), ['GET secret/data/b']);
  });

  it('returns held values without a request, and reads values on demand', async () => {
    await start();
    bench.vault.putSecret({ path: 'a' }, { p: 'CANARY-2', q: 'CANARY-3' });
    assert.deepEqual(await bench.values('nso', 'held'), { p: 'CANARY-1' });
    assert.deepEqual(bench.requests(), []);
    assert.deepEqual(await bench.values('nso', 'read'), { p: 'CANARY-2' });
    assert.deepEqual(bench.requests(), ['GET secret/data/a']);
    // The owners learn of a new value that a failed configuration change has read.
    await bench.pass(330);
    assert.deepEqual(bench.changes, [['nso']]);
  });

  it('logs both versions and the request ID of a rotation, without the value', async () => {
    await start();
    bench.vault.putSecret({ path: 'a' }, { p: 'CANARY-2' });
    await bench.pass(330);
    const line = bench.log.find(({ message }) => message === 'secret rotated');
    const { vaultRequestId, ...fields } = line?.fields ?? {};
    const used = { pointers: ['/p'], owners: ['nso'] };
    assert.deepEqual(fields, { path: 'secret/data/a', oldVersion: 1, version: 2, ...used });
    assert.match(String(vaultRequestId), /^[0-9a-f-]{36}$/);
    assert.ok(!JSON.stringify(bench.log).includes('CANARY'));
  });
});

/** Returns the codes of the logged errors. */
function errorsOf({ log }: RotationBench): readonly unknown[] {
  return log.filter(({ level }) => level === 'error').map(({ fields }) => fields['code']);
}
