import assert from 'node:assert/strict';
import { request } from 'undici';
import type { CallResult } from '../support/call.js';
import { callsTo } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('concurrent changes of an adapter with secrets in plain text', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({
      vaultLines: '  writeLiterals: true\n',
      arrange: (_folder, vault) => {
        vault.putPolicy('gatehouse', { 'secret/data/adapters/*': ['create', 'update', 'read'] });
      },
    });
  });
  after(() => testServer.close());

  const { call } = callsTo(() => testServer);
  const settings = (password: string) => ({
    properties: {
      baseUrl: testServer.orchestrator.url,
      auth: { type: 'basic', username: 'gatehouse', password },
      tls: { caFile: '../orchestrator-ca.pem' },
    },
  });
  const register = (name: string, password: string) =>
    call('POST /adapters', {
      body: { properties: { name, model: 'restconf', properties: settings(password) } },
    });
  const inVault = async (name: string): Promise<unknown> => {
    const headers = { 'x-vault-token': testServer.vault.rootToken };
    const url = `${testServer.vault.address}/v1/secret/data/adapters/${name}`;
    const { body } = await request(url, { headers });
    return ((await body.json()) as { data: { data: { password: unknown } } }).data.data.password;
  };
  /** Returns the only accepted reply; asserts that all others were refused with the status `others`. */
  const winnerOf = (replies: readonly CallResult[], others: number): number => {
    const statuses = replies.map(({ status }) => status);
    assert.deepEqual([...statuses].sort(), [200, ...statuses.slice(1).map(() => others)]);
    return statuses.indexOf(200);
  };
  const PASSWORDS = ['pw-one-8c1f', 'pw-two-5b7e', 'pw-three-91d0', 'pw-four-2e6a'];

  it('keep the secret of the registration that succeeds (bug: a refused registration overwrote it)', async () => {
    const winner = winnerOf(await Promise.all(PASSWORDS.map((password) => register('edge1', password))), 409);
    assert.equal(await inVault('edge1'), PASSWORDS[winner]);
  });

  it('keep the secret of the update that succeeds (bug: a refused update overwrote it)', async () => {
    const { status, headers } = await register('edge2', 'pw-first-0a4c');
    assert.equal(status, 200);
    const change = (password: string) =>
      call('PUT /adapters/edge2/properties', {
        body: settings(password),
        headers: { 'if-match': String(headers['etag']) },
      });
    const winner = winnerOf(await Promise.all(PASSWORDS.map(change)), 412);
    assert.equal(await inVault('edge2'), PASSWORDS[winner]);
  });
});
