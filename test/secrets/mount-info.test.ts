import assert from 'node:assert/strict';
import { createBench, requests, resolveAll, resolveOne, type Bench } from './fixtures.js';

const ASK = 'GET /v1/sys/internal/ui/mounts';

for (const flavour of ['vault', 'openbao'] as const) {
  describe(`kvVersion "auto" (${flavour})`, () => {
    let bench: Bench;
    beforeEach(async () => {
      bench = await createBench({ flavour });
      bench.vault.putSecret({ path: 'a' }, { k: 'two' });
      bench.vault.putSecret({ mount: 'kv', path: 'a' }, { k: 'one' });
    });
    afterEach(() => bench.close());

    it('R-12 asks once for a mount, and reads each as it is', async () => {
      const source = bench.open({ kvVersion: 'auto' });
      const values = { a: '$VAULT_a#k', b: '$VAULT_/kv/a#k', c: '$VAULT_none#k' };
      assert.deepEqual(await resolveAll(source, values), { a: 'two', b: 'one', c: 'VAULT_NOT_FOUND' });
      const asked = requests(bench.vault).filter((request) => request.startsWith(ASK));
      assert.deepEqual([...asked].sort(), [`${ASK}/kv/a`, `${ASK}/secret/a`]);
    });

    it('R-12 does not take one mount for another whose name begins with its own', async () => {
      bench.vault.mountKv('secretv2', 1);
      bench.vault.putSecret({ mount: 'secretv2', path: 'a' }, { k: 'other' });
      const source = bench.open({ kvVersion: 'auto' });
      assert.deepEqual(await resolveAll(source, { a: '$VAULT_a#k' }), { a: 'two' });
      assert.deepEqual(await resolveAll(source, { a: '$VAULT_/secretv2/a#k' }), { a: 'other' });
    });

    it('R-12 finds mounts of several segments, side by side', async () => {
      for (const [name, version] of [
        ['a/b', 2],
        ['a/c', 1],
      ] as const) {
        bench.vault.mountKv(name, version);
        bench.vault.putSecret({ mount: name, path: 'x' }, { k: name });
      }
      const source = bench.open({ kvVersion: 'auto' });
      const values = { a: '$VAULT_/a/b/x#k', b: '$VAULT_/a/c/x#k' };
      assert.deepEqual(await resolveAll(source, values), { a: 'a/b', b: 'a/c' });
    });

    it('R-12 takes the namespace off the path that Vault gives', async () => {
      bench.vault.mountKv('secret', 2, 'team/a');
      bench.vault.putPolicy('p', { 'secret/data/*': ['read'] }, 'team/a');
      bench.vault.putSecret({ path: 'x', namespace: 'team/a' }, { k: 'v' });
      const auth = await bench.appRole(['p'], 'team/a');
      const source = bench.open({ kvVersion: 'auto', namespace: 'team/a', auth });
      assert.deepEqual(await resolveAll(source, { a: '$VAULT_x#k' }), { a: 'v' });
    });

    it('R-12 reads a mount whose options say nothing as version 1', async () => {
      bench.vault.faults.next({ status: 200, body: { data: { type: 'kv', options: null, path: 'kv/' } } });
      const source = bench.open({ kvVersion: 'auto' });
      assert.deepEqual(await resolveAll(source, { a: '$VAULT_/kv/a#k' }), { a: 'one' });
    });

    it('R-12 guesses nothing when Vault does not say', async () => {
      const source = bench.open({ kvVersion: 'auto' });
      for (const status of [403, 404]) {
        bench.vault.faults.next({ match: ({ path }) => path.startsWith('sys/'), status });
        const outcome = await resolveOne(source, '$VAULT_a#k');
        assert.ok('code' in outcome);
        assert.match(outcome.fix, /Set vault\.kvVersion to 1 or 2/);
        assert.match(outcome.message, /which engine serves "secret\/a"/);
      }
      bench.vault.faults.next({ status: 200, body: { data: { type: 'kv', path: 'elsewhere/' } } });
      assert.deepEqual(await resolveAll(source, { a: '$VAULT_a#k' }), { a: 'VAULT_BAD_RESPONSE' });
      bench.vault.faults.next({ status: 503 });
      assert.deepEqual(await resolveAll(source, { a: '$VAULT_a#k' }), { a: 'VAULT_UNAVAILABLE' });
      assert.deepEqual(await resolveAll(source, { a: '$VAULT_a#k' }), { a: 'two' });
    });

    it('R-12 learns that a mount was made anew with another version', async () => {
      const source = bench.open({ kvVersion: 'auto' });
      assert.deepEqual(await resolveAll(source, { a: '$VAULT_/kv/a#k' }), { a: 'one' });
      bench.vault.mountKv('kv', 2);
      bench.vault.putSecret({ mount: 'kv', path: 'a' }, { k: 'new' });
      assert.deepEqual(await resolveAll(source, { a: '$VAULT_/kv/a#k' }), { a: 'VAULT_KV_VERSION_MISMATCH' });
      assert.deepEqual(await resolveAll(source, { a: '$VAULT_/kv/a#k' }), { a: 'new' });
    });

    it('refuses a pinned version where none are kept', async () => {
      const source = bench.open({ kvVersion: 'auto' });
      assert.deepEqual(await resolveAll(source, { a: '$VAULT_/kv/a?version=1#k' }), {
        a: 'VAULT_KV_VERSION_MISMATCH',
      });
    });
  });
}
