import assert from 'node:assert/strict';
import type { VaultFolder } from '../../src/features/secrets-page/vault-browse-view.js';
import type { CallResult } from '../support/call.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const CANARY = 'c4n4ry-of-another-adapter';

describe('the secrets of an adapter that is not registered yet', () => {
  let testServer: TestServer;
  const clock = createFakeScheduler(Date.now());
  before(async () => {
    testServer = await startTestServer({
      clock,
      adapterScope: 'adapters/{name}',
      vaultLines: '  request: { attempts: 1 }\n',
    });
    const { vault } = testServer;
    vault.mountKv('other', 2);
    // The policy grants more than the scope, so that only gatehouse enforces the scope.
    vault.putPolicy('gatehouse', { 'secret/*': ['read', 'list'], 'other/*': ['read', 'list'] });
    for (const path of [
      'adapters/nso9',
      'adapters/nso9/keys/ssh',
      'adapters/nso8',
      'adapters/nso8/keys',
      'gatehouse/key',
    ])
      vault.putSecret({ path }, { username: 'u', password: CANARY });
    vault.putSecret({ mount: 'other', path: 'adapters/nso9' }, { other: CANARY });
  });
  after(() => testServer.close());

  describe('GET /console/vault/paths', () => {
    const get = (query: Readonly<Record<string, string>>): Promise<CallResult> =>
      testServer.call(`GET /console/vault/paths?${new URLSearchParams(query).toString()}`);
    const folderAt = async (query: Readonly<Record<string, string>>): Promise<VaultFolder> => {
      const reply = await get(query);
      assert.equal(reply.status, 200, reply.text);
      assert.ok(!reply.text.includes(CANARY));
      return reply.json as VaultFolder;
    };

    it('lists the names below the scope of the adapter, and the fields of the secret at it', async () => {
      const top = await folderAt({ adapter: 'nso9' });
      assert.deepEqual(top, {
        path: 'adapters/nso9',
        parent: null,
        entries: {
          results: [{ name: 'keys', path: 'adapters/nso9/keys', isFolder: true, isSecret: false }],
          total: 1,
          fault: null,
        },
        secret: {
          exists: true,
          fields: [
            { name: 'password', reference: '$VAULT_adapters/nso9#password', refusal: null },
            { name: 'username', reference: '$VAULT_adapters/nso9#username', refusal: null },
          ],
          total: 2,
          fault: null,
        },
      });
      const below = await folderAt({ adapter: 'nso9', path: 'adapters/nso9/keys' });
      assert.equal(below.parent, 'adapters/nso9');
      assert.deepEqual(
        below.entries.results.map(({ path }) => path),
        ['adapters/nso9/keys/ssh'],
      );
      assert.equal(below.secret.exists, false);
    });

    it('refuses paths outside of the scope without a request to Vault', async () => {
      const before = testServer.vault.log.length;
      const [parent, longer] = ['adapters/nso9/../nso8', 'adapters/nso99'];
      for (const path of ['adapters/nso8', 'adapters', '/', parent, '/other/adapters/nso9', longer])
        assert.equal((await get({ adapter: 'nso9', path })).status, 400, path);
      const sent = testServer.vault.log.slice(before).filter(({ path }) => /nso|adapters/.test(path));
      assert.deepEqual(sent, []);
    });

    it('refuses adapters that are no adapterId or in a file', async () => {
      for (const adapter of ['', 'x/../nso9', 'core1', '.', 'nso9%2f..'])
        assert.equal((await get({ adapter, path: 'adapters/nso9' })).status, 400, adapter);
    });

    it('reads a path below the scope as it is written, not as a location in the URL of Vault', async () => {
      await folderAt({ adapter: 'nso9', path: 'adapters/nso9/%E2%80%AE%3Flist=false%23' });
      const name = '%E2%80%AE%3Flist%3Dfalse%23';
      assert.deepEqual(
        testServer.vault.log
          .slice(-2)
          .map(({ path }) => path)
          .sort(),
        [`/v1/secret/data/adapters/nso9/${name}`, `/v1/secret/metadata/adapters/nso9/${name}/?list=true`],
      );
    });

    it('pages and searches a folder with thousands of names', async () => {
      for (let at = 0; at < 3_000; at += 1)
        testServer.vault.putSecret({ path: `adapters/many/r${String(at).padStart(4, '0')}` }, { k: 'v' });
      const { results, total } = (await folderAt({ adapter: 'many' })).entries;
      assert.deepEqual([results.length, total], [200, 3_000]);
      const last = await folderAt({ adapter: 'many', skip: '2999', limit: '1000' });
      assert.equal(last.entries.results.map(({ name }) => name).join(), 'r2999');
      assert.equal((await folderAt({ adapter: 'many', contains: 'R123' })).entries.total, 10);
      assert.equal((await get({ adapter: 'many', limit: '1001' })).status, 400);
    });

    it('is recorded with the name of the adapter and the path, also if it is refused', async () => {
      await get({ adapter: 'audited', path: 'adapters/audited/keys' });
      await get({ adapter: 'audited', path: 'adapters/nso8' });
      const { json } = await testServer.call('GET /audit?limit=2&operation=console.getVaultPaths');
      const { results } = json as { results: readonly { target: string; outcome: string }[] };
      assert.deepEqual(
        results.map(({ target, outcome }) => `${target}: ${outcome}`),
        [
          '/console/vault/paths audited adapters/nso8: invalid_request',
          '/console/vault/paths audited adapters/audited/keys: ok',
        ],
      );
    });
  });

  describe('POST /console/secrets/test', () => {
    const test = async (reference: string, adapter?: string): Promise<CallResult> => {
      // One test in a second.
      await clock.pass(1_000);
      return testServer.call('POST /console/secrets/test', {
        body: { reference, ...(adapter && { adapter }) },
      });
    };

    it('tests a reference for the adapter that may use it, and for no other', async () => {
      const own = '$VAULT_adapters/nso9#password';
      const found = await test(own, 'nso9');
      assert.deepEqual(found.json, { ok: true, cause: null, fix: null });
      assert.ok(!found.text.includes(CANARY));
      for (const [text, adapter, message] of [
        [own, undefined, /not a reference that an adapter or a setting uses/],
        [own, 'nso8', /outside of "adapters\/nso8"/],
        [own, 'x/../nso9', /is no adapterId/],
        ['$VAULT_/other/adapters/nso8#password', 'nso8', /outside of "adapters\/nso8"/],
        ['$VAULT_adapters/core1/x#password', 'core1', /is an adapter of a file/],
        ['password', 'nso8', /is not a reference to Vault/],
      ] as const) {
        const refused = await test(text, adapter);
        assert.equal(refused.status, 400, text);
        assert.match((refused.json as { detail: string }).detail, message);
      }
      const missing = await test('$VAULT_adapters/nso7#password', 'nso7');
      assert.match(missing.text, /"ok":false,"cause":".*adapters\/nso7/);
    });

    it('is recorded with its reference, but never with other text', async () => {
      await test('$VAULT_adapters/audited#password', 'audited');
      await test('text-of-a-password', 'audited');
      const { text } = await testServer.call('GET /audit?limit=5');
      assert.ok(text.includes('$VAULT_adapters/audited#password'), text);
      assert.ok(!text.includes('text-of-a-password'));
    });
  });
});
