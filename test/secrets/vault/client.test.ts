import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inspect, promisify } from 'node:util';
import { Secret } from '../../../src/core/secret.js';
import { SecretError } from '../../../src/secrets/secret-error.js';
import { createVaultClient } from '../../../src/secrets/vault/client.js';
import type { VaultCall } from '../../../src/secrets/vault/send-request.js';
import { setEnvironment } from '../../support/environment.js';
import { createBench, resolveAll } from '../fixtures.js';

const ADDRESS = 'http://127.0.0.1:1';
const TOKEN = new Secret('CANARY-TOKEN');

function clientAnswering(body: Record<string, unknown>) {
  const calls: VaultCall[] = [];
  const client = createVaultClient(ADDRESS, (call) => {
    calls.push(call);
    return Promise.resolve({ statusCode: 200, body });
  });
  return { calls, client };
}

const LOGIN = { auth: { client_token: 'CANARY-NEW', lease_duration: 60 } };
const AMBIENT = {
  VAULT_TOKEN: 'CANARY-AMBIENT',
  VAULT_PREFIX: '/prefix',
  VAULT_NAMESPACE: 'ambient',
  VAULT_ADDR: 'http://ambient',
};

describe('createVaultClient', () => {
  let restoreEnvironment: () => void;
  beforeEach(() => {
    restoreEnvironment = setEnvironment(AMBIENT);
  });
  afterEach(() => {
    restoreEnvironment();
  });

  it('T-01 sends every request through the given transport', async () => {
    const { calls, client } = clientAnswering({ data: { k: 'v' }, request_id: 'r' });
    const read = await client.read('secret/data/a?version=2', TOKEN);
    assert.deepEqual(read, { data: { k: 'v' }, requestId: 'r' });
    const uri = `${ADDRESS}/v1/secret/data/a?version=2`;
    const sent = calls.map(({ method, uri, headers }) => ({ method, uri, headers }));
    assert.deepEqual(sent, [{ method: 'GET', uri, headers: { 'X-Vault-Token': 'CANARY-TOKEN' } }]);
  });

  it('T-01 passes on errors of the transport unchanged', async () => {
    const failure = new SecretError({ code: 'VAULT_SEALED', message: 'm', fix: 'f' });
    const client = createVaultClient(ADDRESS, () => Promise.reject(failure));
    await assert.rejects(client.read('a', TOKEN), (error) => error === failure);
  });

  it('T-11 sends no token with a login, even if the environment has one', async () => {
    const { calls, client } = clientAnswering(LOGIN);
    const login = await client.login(
      { mount: 'a/b&c', namespace: null },
      { role_id: new Secret('r'), secret_id: new Secret('s') },
    );
    assert.equal(login.token.reveal(), 'CANARY-NEW');
    assert.equal(calls[0]?.uri, `${ADDRESS}/v1/auth/a/b%26c/login`);
    assert.deepEqual(calls[0].json, { role_id: 'r', secret_id: 's' });
    assert.deepEqual(calls[0].headers, {});
  });

  it('T-09 sends the token of each call and stores none', async () => {
    const { calls, client } = clientAnswering({ ...LOGIN, data: {} });
    await client.read('a', TOKEN);
    await client.login({ mount: 'approle', namespace: null }, { role_id: new Secret('r') });
    await client.read('a', new Secret('SECOND'));
    assert.deepEqual(
      calls.map(({ headers }) => headers['X-Vault-Token']),
      ['CANARY-TOKEN', undefined, 'SECOND'],
    );
    assert.ok(!(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).includes('CANARY'));
  });

  it('refuses a reply without data or without a token', async () => {
    const { client } = clientAnswering({ data: null, auth: { client_token: '' } });
    const bad = { code: 'VAULT_BAD_RESPONSE' };
    await assert.rejects(client.read('a', TOKEN), bad);
    await assert.rejects(client.login({ mount: 'approle', namespace: null }, {}), bad);
  });

  it('T-08 prints nothing to the debug log with DEBUG=*', async () => {
    restoreEnvironment();
    const bench = await createBench();
    bench.vault.putSecret({ path: 'a' }, { k: 'CANARY-VALUE' });
    bench.vault.putPolicy('edge', { 'secret/data/*': ['read'] });
    const auth = await bench.appRole(['edge']);
    const child = fileURLToPath(new URL('./debug-child.js', import.meta.url));
    const settings = JSON.stringify(bench.settings({ auth }));
    const env = { ...process.env, DEBUG: '*', SETTINGS: settings };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [child], { env });
    assert.equal(stdout.trim(), 'resolved 1');
    const credentials = bench.vault.log.flatMap(({ headers, body }) => [
      ...(headers['x-vault-token'] === undefined ? [] : [String(headers['x-vault-token'])]),
      ...(body.includes('secret_id') ? Object.values(JSON.parse(body) as Record<string, string>) : []),
    ]);
    assert.ok(credentials.length >= 3);
    for (const canary of ['CANARY-VALUE', ...credentials]) assert.ok(!stderr.includes(canary));
    await bench.close();
  });

  it('ignores the Vault variables of the environment', async () => {
    const bench = await createBench();
    bench.vault.putSecret({ path: 'a' }, { k: 'v' });
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_a#k' }), { a: 'v' });
    assert.equal(bench.sent[0]?.headers['x-vault-namespace'], undefined);
    assert.equal(bench.sent[0]?.headers['x-vault-token'], bench.vault.rootToken);
    await bench.close();
  });
});
