import assert from 'node:assert/strict';
import type { VaultFolder } from '../../src/core/vault-browse.js';
import { type CallResult, callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const CANARY = 'c4n4ry-of-another-adapter';

describe('GET /console/vault/paths', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({
      folder: temporaryFolder().path,
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

  const get = (query: Readonly<Record<string, string>>, role = 'admin'): Promise<CallResult> =>
    callUrl(`${testServer.url}/console/vault/paths?${new URLSearchParams(query).toString()}`, {
      method: 'GET',
      token: testServer.issueToken(role),
    });
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

  for (const [title, path] of [
    ['another adapter', 'adapters/nso8'],
    ['the folder of all adapters', 'adapters'],
    ['the mount', '/'],
    ['a path with two dots', 'adapters/nso9/../nso8'],
    ['encoded dots', 'adapters/nso9/%2e%2e/nso8'],
    ['an encoded slash', 'adapters%2fnso9'],
    ['an encoded slash in a segment', 'adapters/nso9/..%2fnso8'],
    ['a slash encoded twice', 'adapters/nso9%252f..%252fnso8'],
    ['a backslash', 'adapters/nso9/..%5cnso8'],
    ['an empty segment', 'adapters/nso9//keys'],
    ['a slash at the end', 'adapters/nso9/'],
    ['a path of another mount', '/other/adapters/nso9'],
    ['metadata in the path', 'metadata/adapters/nso8'],
    ["Vault's own API", 'sys/mounts'],
    ['a query', 'adapters/nso9?list=true'],
    ['a fragment', 'adapters/nso9#password'],
    ['a prefix of the name', 'adapters/nso'],
    ['a longer name', 'adapters/nso99'],
    ['letters of another case', 'adapters/NSO9'],
    ['full-width letters', 'adapters/ｎｓｏ9'],
    ['a dot that looks like one', 'adapters/nso9/%E2%80%A4%E2%80%A4/nso8%00'],
    ['a control character', 'adapters/nso9/%0d%0ax'],
    ['bytes that are no UTF-8', 'adapters/nso9/%ff'],
    ['4,000 characters', `adapters/nso9/${'a'.repeat(4_000)}`],
  ] as const)
    it(`refuses ${title} without a request to Vault`, async () => {
      const before = testServer.vault.log.length;
      const reply = await get({ adapter: 'nso9', path });
      assert.equal(reply.status, 400, reply.text);
      const sent = testServer.vault.log.slice(before).filter((request) => /nso|adapters/.test(request.path));
      assert.deepEqual(sent, []);
    });

  for (const adapter of ['', 'x/../nso9', '../adapters', 'core1', '.', 'nso9%2f..'])
    it(`refuses the adapter ${JSON.stringify(adapter)}`, async () => {
      const reply = await get({ adapter, path: 'adapters/nso9' });
      assert.equal(reply.status, 400, reply.text);
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
    const first = await folderAt({ adapter: 'many' });
    assert.deepEqual([first.entries.results.length, first.entries.total], [200, 3_000]);
    const last = await folderAt({ adapter: 'many', skip: '2999', limit: '1000' });
    assert.deepEqual(
      last.entries.results.map(({ name }) => name),
      ['r2999'],
    );
    const found = await folderAt({ adapter: 'many', contains: 'R123' });
    assert.equal(found.entries.total, 10);
    assert.equal((await get({ adapter: 'many', limit: '1001' })).status, 400);
  });

  it('admits only the role admin', async () => {
    for (const role of ['readonly', 'engineering', 'apiread', 'viewer'])
      assert.equal((await get({ adapter: 'nso9' }, role)).status, 403, role);
  });

  it('is recorded with the name of the adapter and the path, also if it is refused', async () => {
    await get({ adapter: 'audited', path: 'adapters/audited/keys' });
    await get({ adapter: 'audited', path: 'adapters/nso8' });
    const { json } = await callUrl(`${testServer.url}/audit?limit=2&operation=console.getVaultPaths`, {
      method: 'GET',
      token: testServer.issueToken('admin'),
    });
    const { results } = json as { results: readonly { target: string; outcome: string }[] };
    assert.deepEqual(
      results.map(({ target, outcome }) => `${target}: ${outcome}`),
      [
        '/console/vault/paths audited adapters/nso8: invalid_request',
        '/console/vault/paths audited adapters/audited/keys: ok',
      ],
    );
  });

  it('returns why Vault gave no names, and keeps the process alive', async () => {
    testServer.vault.seal();
    const { entries, secret } = await folderAt({ adapter: 'nso9' });
    assert.match(entries.fault?.cause ?? '', /sealed/);
    assert.equal(entries.fault?.fix, 'Unseal Vault.');
    assert.match(secret.fault?.cause ?? '', /sealed/);
    testServer.vault.unseal();
    assert.equal((await folderAt({ adapter: 'nso9' })).entries.fault, null);
  });
});

describe('GET /console/vault/paths for all secrets of the mount', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({ folder: temporaryFolder().path, adapterScope: '' });
    testServer.vault.putPolicy('gatehouse', { 'secret/*': ['read', 'list'] });
    testServer.vault.putSecret({ path: 'routers/r1' }, { password: CANARY });
  });
  after(() => testServer.close());

  it('begins at the mount', async () => {
    const ask = async (path = ''): Promise<VaultFolder> => {
      const query = new URLSearchParams({ adapter: 'any', path }).toString();
      const token = testServer.issueToken('admin');
      const { json } = await callUrl(`${testServer.url}/console/vault/paths?${query}`, {
        method: 'GET',
        token,
      });
      return json as VaultFolder;
    };
    const top = await ask();
    assert.deepEqual([top.path, top.parent], ['', null]);
    assert.ok(top.entries.results.some(({ name }) => name === 'routers'));
    assert.equal((await ask('routers')).parent, '');
  });
});
