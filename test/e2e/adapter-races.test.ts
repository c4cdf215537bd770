import assert from 'node:assert/strict';
import { request } from 'undici';
import { type CallResult, callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('concurrent changes of an adapter with secrets in plain text', () => {
  let testServer: TestServer;

  before(async () => {
    testServer = await startTestServer({
      folder: temporaryFolder().path,
      vaultLines: '  writeLiterals: true\n',
      arrange: (_folder, vault) => {
        vault.putPolicy('gatehouse', { 'secret/data/adapters/*': ['create', 'update', 'read'] });
      },
    });
  });

  after(() => testServer.close());

  const api = (to: string, body: unknown, etag = '"1"'): Promise<CallResult> => {
    const [method = '', path = ''] = to.split(' ');
    const headers = { 'if-match': etag };
    return callUrl(testServer.url + path, { method, token: testServer.issueToken('admin'), body, headers });
  };
  const settings = (password: string) => ({
    baseUrl: testServer.orchestrator.url,
    auth: { type: 'basic', username: 'gatehouse', password },
    tls: { caFile: '../orchestrator-ca.pem' },
  });
  const register = (name: string, password: string) => {
    const properties = { name, model: 'restconf', properties: { properties: settings(password) } };
    return api('POST /adapters', { properties });
  };
  const inVault = async (name: string): Promise<unknown> => {
    const headers = { 'x-vault-token': testServer.vault.rootToken };
    const { body } = await request(`${testServer.vault.address}/v1/secret/data/adapters/${name}`, {
      headers,
    });
    return ((await body.json()) as { data: { data: { password: unknown } } }).data.data.password;
  };
  /** Returns the only accepted reply; asserts that all others were refused with the status `others`. */
  const winnerOf = (replies: readonly CallResult[], others: number): number => {
    const statuses = replies.map(({ status }) => status);
    assert.deepEqual([...statuses].sort(), [200, ...statuses.slice(1).map(() => others)]);
    return statuses.indexOf(200);
  };
  const PASSWORDS = ['pw-one-8c1f', 'pw-two-5b7e', 'pw-three-91d0', 'pw-four-2e6a'];

  it('leave Vault unchanged if the change must be confirmed (bug: the undo kept the new secret)', async () => {
    assert.equal((await register('edge0', PASSWORDS[0] ?? '')).status, 200);
    const { status, text } = await api('PUT /adapters/edge0/properties', {
      properties: settings(PASSWORDS[1] ?? ''),
      confirmWithin: 5,
    });
    assert.equal(status, 400, text);
    assert.match(text, /without confirmWithin/);
    assert.equal(await inVault('edge0'), PASSWORDS[0]);
  });

  it('keep the secret of the registration that succeeds (bug: a refused registration overwrote it)', async () => {
    const winner = winnerOf(await Promise.all(PASSWORDS.map((password) => register('edge1', password))), 409);
    assert.equal(await inVault('edge1'), PASSWORDS[winner]);
  });

  it('keep the secret of the update that succeeds (bug: a refused update overwrote it)', async () => {
    const { status, headers } = await register('edge2', 'pw-first-0a4c');
    assert.equal(status, 200);
    const change = (password: string) =>
      api('PUT /adapters/edge2/properties', { properties: settings(password) }, String(headers['etag']));
    const winner = winnerOf(await Promise.all(PASSWORDS.map(change)), 412);
    assert.equal(await inVault('edge2'), PASSWORDS[winner]);
  });
});
