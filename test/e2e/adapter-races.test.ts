import assert from 'node:assert/strict';
import { request } from 'undici';
import { type CallResult, callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openWorld, type World } from '../support/world.js';

const SECRET = 'secret/data/adapters/edge1';

describe('changes of an adapter at the same moment, with secrets in plain text', () => {
  let world: World;

  beforeEach(async () => {
    world = await openWorld({
      folder: temporaryFolder().path,
      vaultLines: '  writeLiterals: true\n',
      arrange: (_folder, vault) => {
        vault.putPolicy('gatehouse', { 'secret/data/adapters/*': ['create', 'update', 'read'] });
      },
    });
  });

  afterEach(() => world.close());

  const api = (method: string, path: string, body: unknown): Promise<CallResult> =>
    callUrl(world.url + path, { method, token: world.mint('admin'), body, headers: { 'if-match': '"1"' } });
  const settings = (password: string) => ({
    baseUrl: world.orchestrator.url,
    auth: { type: 'basic', username: 'gatehouse', password },
    tls: { caFile: '../orchestrator-ca.pem' },
  });
  const register = (password: string) => {
    const properties = { name: 'edge1', model: 'restconf', properties: { properties: settings(password) } };
    return api('POST', '/adapters', { properties });
  };
  const inVault = async (): Promise<unknown> => {
    const headers = { 'x-vault-token': world.vault.rootToken };
    const { body } = await request(`${world.vault.address}/v1/${SECRET}`, { headers });
    return ((await body.json()) as { data: { data: { password: unknown } } }).data.data.password;
  };
  /** The one that was taken; all others must have been turned away with this status. */
  const winnerOf = (replies: readonly CallResult[], others: number): number => {
    const statuses = replies.map(({ status }) => status);
    assert.deepEqual([...statuses].sort(), [200, ...statuses.slice(1).map(() => others)]);
    return statuses.indexOf(200);
  };
  const PASSWORDS = ['pw-one-8c1f', 'pw-two-5b7e', 'pw-three-91d0', 'pw-four-2e6a'];

  it('keep the secret of the one that was registered (bug: the other one wrote its own over it)', async () => {
    const winner = winnerOf(await Promise.all(PASSWORDS.map(register)), 409);
    assert.equal(await inVault(), PASSWORDS[winner]);
  });

  it('keep the secret of the one that was at the revision (bug: the other one wrote its own over it)', async () => {
    assert.equal((await register('pw-first-0a4c')).status, 200);
    const change = (password: string) =>
      api('PUT', '/adapters/edge1/properties', { properties: settings(password) });
    const winner = winnerOf(await Promise.all(PASSWORDS.map(change)), 412);
    assert.equal(await inVault(), PASSWORDS[winner]);
  });
});
