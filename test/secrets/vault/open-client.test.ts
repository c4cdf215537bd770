import assert from 'node:assert/strict';
import type { SecretSource } from '../../../src/secrets/open-secrets.js';
import { createBench, failureOf, requests, resolveAll, valueOf, type Bench } from '../fixtures.js';

const MOUNT_REQUEST = 'GET /v1/sys/internal/ui/mounts';

describe('kvVersion "auto"', () => {
  let bench: Bench;
  let source: SecretSource;
  beforeEach(async () => {
    bench = await createBench();
    bench.vault.putSecret({ path: 'a' }, { k: 'c4n4ry-two-value' });
    bench.vault.putSecret({ mount: 'kv', path: 'a' }, { k: 'c4n4ry-one-value' });
    source = bench.open({ kvVersion: 'auto' });
  });
  afterEach(() => bench.close());

  it('R-12 requests the version of each mount once, and reads each mount with its version', async () => {
    const values = { a: '$VAULT_a#k', b: '$VAULT_/kv/a#k', c: '$VAULT_none#k' };
    assert.deepEqual(await resolveAll(source, values), {
      a: 'c4n4ry-two-value',
      b: 'c4n4ry-one-value',
      c: 'VAULT_NOT_FOUND',
    });
    const asked = requests(bench).filter((request) => request.startsWith(MOUNT_REQUEST));
    assert.deepEqual([...asked].sort(), [`${MOUNT_REQUEST}/kv/a`, `${MOUNT_REQUEST}/secret/a`]);
  });

  it('R-12 distinguishes mounts with the same beginning of their names, of one and of several segments', async () => {
    for (const [mount, version] of [
      ['secretv2', 1],
      ['a/b', 2],
      ['a/c', 1],
    ] as const) {
      bench.vault.mountKv(mount, version);
      bench.vault.putSecret({ mount, path: 'x' }, { k: mount });
    }
    const values = { a: '$VAULT_a#k', b: '$VAULT_/secretv2/x#k', c: '$VAULT_/a/b/x#k', d: '$VAULT_/a/c/x#k' };
    const expected = { a: 'c4n4ry-two-value', b: 'secretv2', c: 'a/b', d: 'a/c' };
    assert.deepEqual(await resolveAll(source, values), expected);
  });

  it('R-12 removes the namespace from the mount path that Vault reports', async () => {
    const inTeam = bench.open({ kvVersion: 'auto', namespace: 'team/a' });
    assert.equal(await valueOf(inTeam, '$VAULT_a#k'), 'c4n4ry-two-value');
  });

  it('R-12 reads a mount without options as version 1', async () => {
    bench.vault.faults.next({ status: 200, body: { data: { type: 'kv', options: null, path: 'kv/' } } });
    assert.equal(await valueOf(source, '$VAULT_/kv/a#k'), 'c4n4ry-one-value');
  });

  it('R-12 reports an error when Vault does not report the version', async () => {
    const { faults } = bench.vault;
    for (const status of [403, 404]) {
      faults.next({ match: ({ path }) => path.startsWith('sys/'), status });
      const { text } = await failureOf(source, '$VAULT_a#k');
      assert.match(text, /which engine serves "secret\/a".* \| .*Set vault\.kvVersion to 1 or 2/);
    }
    faults.next({ status: 200, body: { data: { type: 'kv', path: 'elsewhere/' } } });
    assert.equal(await valueOf(source, '$VAULT_a#k'), 'VAULT_BAD_RESPONSE');
    faults.next({ status: 503 });
    assert.equal(await valueOf(source, '$VAULT_a#k'), 'VAULT_UNAVAILABLE');
    assert.equal(await valueOf(source, '$VAULT_a#k'), 'c4n4ry-two-value');
  });

  it('R-12 detects that a mount was recreated with another version', async () => {
    assert.equal(await valueOf(source, '$VAULT_/kv/a#k'), 'c4n4ry-one-value');
    bench.vault.mountKv('kv', 2);
    bench.vault.putSecret({ mount: 'kv', path: 'a' }, { k: 'c4n4ry-new-value' });
    assert.equal(await valueOf(source, '$VAULT_/kv/a#k'), 'VAULT_KV_VERSION_MISMATCH');
    assert.equal(await valueOf(source, '$VAULT_/kv/a#k'), 'c4n4ry-new-value');
  });

  it('refuses a pinned version on a mount without versions', async () => {
    assert.equal(await valueOf(source, '$VAULT_/kv/a?version=1#k'), 'VAULT_KV_VERSION_MISMATCH');
  });
});
