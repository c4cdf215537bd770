import assert from 'node:assert/strict';
import { createBench, requests, resolveAll, resolveOne, type Bench } from '../fixtures.js';

const MOUNT_REQUEST = 'GET /v1/sys/internal/ui/mounts';

describe('kvVersion "auto"', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await createBench();
    bench.vault.putSecret({ path: 'a' }, { k: 'c4n4ry-two-value' });
    bench.vault.putSecret({ mount: 'kv', path: 'a' }, { k: 'c4n4ry-one-value' });
  });
  afterEach(() => bench.close());

  it('R-12 requests the version of each mount once, and reads each mount with its version', async () => {
    const source = bench.open({ kvVersion: 'auto' });
    const values = { a: '$VAULT_a#k', b: `$VAULT_/kv/a#k`, c: '$VAULT_none#k' };
    assert.deepEqual(await resolveAll(source, values), {
      a: 'c4n4ry-two-value',
      b: 'c4n4ry-one-value',
      c: 'VAULT_NOT_FOUND',
    });
    const asked = requests(bench).filter((request) => request.startsWith(MOUNT_REQUEST));
    assert.deepEqual([...asked].sort(), [`${MOUNT_REQUEST}/kv/a`, `${MOUNT_REQUEST}/secret/a`]);
  });

  it('R-12 distinguishes a mount from another mount with the same name prefix', async () => {
    bench.vault.mountKv('secretv2', 1);
    bench.vault.putSecret({ mount: 'secretv2', path: 'a' }, { k: 'c4n4ry-other-value' });
    const source = bench.open({ kvVersion: 'auto' });
    assert.deepEqual(await resolveAll(source, { a: '$VAULT_a#k' }), { a: 'c4n4ry-two-value' });
    assert.deepEqual(await resolveAll(source, { a: `$VAULT_/secretv2/a#k` }), {
      a: 'c4n4ry-other-value',
    });
  });

  it('R-12 reads mounts with several path segments', async () => {
    for (const [name, version] of [
      ['a/b', 2],
      ['a/c', 1],
    ] as const) {
      bench.vault.mountKv(name, version);
      bench.vault.putSecret({ mount: name, path: 'x' }, { k: name });
    }
    const source = bench.open({ kvVersion: 'auto' });
    const values = {
      a: `$VAULT_/a/b/x#k`,
      b: `$VAULT_/a/c/x#k`,
    };
    assert.deepEqual(await resolveAll(source, values), { a: 'a/b', b: 'a/c' });
  });

  it('R-12 removes the namespace from the mount path that Vault reports', async () => {
    const source = bench.open({ kvVersion: 'auto', namespace: 'team/a' });
    assert.deepEqual(await resolveAll(source, { a: '$VAULT_a#k' }), { a: 'c4n4ry-two-value' });
  });

  it('R-12 reads a mount without options as version 1', async () => {
    const { faults } = bench.vault;
    faults.next({ status: 200, body: { data: { type: 'kv', options: null, path: 'kv/' } } });
    const source = bench.open({ kvVersion: 'auto' });
    assert.deepEqual(await resolveAll(source, { a: `$VAULT_/kv/a#k` }), {
      a: 'c4n4ry-one-value',
    });
  });

  it('R-12 reports an error when Vault does not report the version', async () => {
    const { faults } = bench.vault;
    const source = bench.open({ kvVersion: 'auto' });
    for (const status of [403, 404]) {
      faults.next({ match: ({ path }) => path.startsWith('sys/'), status });
      const outcome = await resolveOne(source, '$VAULT_a#k');
      assert.ok('code' in outcome);
      assert.match(outcome.fix, /Set vault\.kvVersion to 1 or 2/);
      assert.match(outcome.message, /which engine serves "secret\/a"/);
    }
    faults.next({ status: 200, body: { data: { type: 'kv', path: 'elsewhere/' } } });
    assert.deepEqual(await resolveAll(source, { a: '$VAULT_a#k' }), { a: 'VAULT_BAD_RESPONSE' });
    faults.next({ status: 503 });
    assert.deepEqual(await resolveAll(source, { a: '$VAULT_a#k' }), { a: 'VAULT_UNAVAILABLE' });
    assert.deepEqual(await resolveAll(source, { a: '$VAULT_a#k' }), { a: 'c4n4ry-two-value' });
  });

  it('R-12 detects that a mount was recreated with another version', async () => {
    const source = bench.open({ kvVersion: 'auto' });
    assert.deepEqual(await resolveAll(source, { a: `$VAULT_/kv/a#k` }), {
      a: 'c4n4ry-one-value',
    });
    bench.vault.mountKv('kv', 2);
    bench.vault.putSecret({ mount: 'kv', path: 'a' }, { k: 'c4n4ry-new-value' });
    assert.deepEqual(await resolveAll(source, { a: `$VAULT_/kv/a#k` }), {
      a: 'VAULT_KV_VERSION_MISMATCH',
    });
    assert.deepEqual(await resolveAll(source, { a: `$VAULT_/kv/a#k` }), {
      a: 'c4n4ry-new-value',
    });
  });

  it('refuses a pinned version on a mount without versions', async () => {
    const source = bench.open({ kvVersion: 'auto' });
    assert.deepEqual(await resolveAll(source, { a: `$VAULT_/kv/a?version=1#k` }), {
      a: 'VAULT_KV_VERSION_MISMATCH',
    });
  });
});
