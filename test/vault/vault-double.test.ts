import assert from 'node:assert/strict';
import { createVaultDouble, type VaultDouble } from '../support/vault-double.js';

interface VaultCall {
  readonly method?: string;
  readonly token?: string;
  readonly namespace?: string;
  readonly body?: unknown;
}

/** Asserts the published API, so that the tests do not rely on other behavior. */
describe('the Vault double', () => {
  let vault: VaultDouble;
  let bao: VaultDouble;
  before(async () => {
    [vault, bao] = [await createVaultDouble(), await createVaultDouble({ flavour: 'openbao' })];
  });
  after(() => Promise.all([vault.close(), bao.close()]));

  async function ask(
    at: VaultDouble,
    path: string,
    asked: VaultCall = {},
  ): Promise<{ status: number; body: unknown }> {
    const { method = 'GET', token = at.rootToken, namespace, body } = asked;
    const response = await fetch(`${at.address}/v1/${path}`, {
      method,
      redirect: 'manual',
      headers: { 'X-Vault-Token': token, ...(namespace !== undefined && { 'X-Vault-Namespace': namespace }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  it('returns every key of the envelope with a KV version 1 secret', async () => {
    vault.putSecret({ mount: 'kv', path: 'x' }, { k: 'v' });
    const { status, body } = await ask(vault, 'kv/x');
    const { request_id: id, ...rest } = body as Record<string, unknown>;
    assert.equal(status, 200);
    assert.match(String(id), /^[0-9a-f-]{36}$/);
    const empty = { lease_id: '', renewable: false, wrap_info: null, warnings: null, auth: null };
    assert.deepEqual(rest, { ...empty, lease_duration: 2_764_800, data: { k: 'v' } });
  });

  it('answers a deleted and a destroyed version with 404 and its metadata', async () => {
    vault.putSecret({ path: 'd' }, { k: 'v' });
    vault.putSecret({ path: 'd' }, { k: 'w' });
    vault.deleteVersion({ path: 'd' }, 2, Date.UTC(2022, 9, 31));
    vault.destroyVersion({ path: 'd' }, 1);
    const deleted = await ask(vault, 'secret/data/d');
    assert.equal(deleted.status, 404);
    const { data } = deleted.body as { data: { data: unknown; metadata: Record<string, unknown> } };
    assert.equal(data.data, null);
    assert.deepEqual(
      [data.metadata['deletion_time'], data.metadata['destroyed'], data.metadata['version']],
      ['2022-10-31T00:00:00.000Z', false, 2],
    );
    const destroyed = await ask(vault, 'secret/data/d?version=1');
    assert.match(JSON.stringify(destroyed.body), /"destroyed":true/);
    assert.deepEqual(await ask(vault, 'secret/data/d?version=9'), { status: 404, body: { errors: [] } });
    assert.deepEqual(await ask(vault, 'secret/data/none'), { status: 404, body: { errors: [] } });
  });

  it('returns the field names without values, and the current version of a secret', async () => {
    vault.putSecret({ path: 's' }, { foo: 'CANARY', bar: { baz: 'CANARY' } });
    const { body } = await ask(vault, 'secret/subkeys/s');
    assert.deepEqual((body as { data: { subkeys: unknown } }).data.subkeys, {
      foo: null,
      bar: { baz: null },
    });
    const metadata = await ask(vault, 'secret/metadata/s');
    assert.equal((metadata.body as { data: { current_version: number } }).data.current_version, 1);
  });

  it('accepts a write only for the current version and as the policy permits', async () => {
    const write = async (token: string, cas?: unknown): Promise<readonly unknown[]> => {
      const body = { data: { k: 'v' }, ...(cas !== undefined && { options: { cas } }) };
      const reply = await ask(vault, 'secret/data/cas', { method: 'POST', token, body });
      const { data, errors } = reply.body as { data?: { version: number }; errors?: readonly string[] };
      return [reply.status, data?.version ?? errors?.[0]];
    };
    vault.putPolicy('creates', { 'secret/data/*': ['create'] });
    vault.putPolicy('updates', { 'secret/data/*': ['update'] });
    const [creates, updates] = ['creates', 'updates'].map((name) => vault.createToken({ policies: [name] }));
    const denied = [403, '1 error occurred:\n\t* permission denied\n\n'];
    const conflict = [400, 'check-and-set parameter did not match the current version'];
    assert.deepEqual(await write(updates ?? '', 0), denied);
    assert.deepEqual(await write(creates ?? '', 1), conflict);
    assert.deepEqual(await write(creates ?? '', 0), [200, 1]);
    assert.deepEqual(await write(creates ?? '', 1), denied);
    assert.deepEqual(await write(updates ?? '', 0), conflict);
    assert.deepEqual(await write(updates ?? '', 'x'), [400, 'error parsing check-and-set parameter']);
    vault.deleteVersion({ path: 'cas' }, 1);
    assert.deepEqual(await write(updates ?? '', 1), [200, 2]);
    assert.deepEqual(await write(updates ?? ''), [200, 3]);
  });

  it('warns about a path without data/, in the words of each flavor', async () => {
    for (const [at, tool] of [
      [vault, 'vault'],
      [bao, 'bao'],
    ] as const) {
      const { status, body } = await ask(at, 'secret/x');
      assert.equal(status, 404);
      assert.match(String((body as { warnings: string[] }).warnings[0]), new RegExp(`'${tool} kv get'`));
    }
  });

  it('refuses invalid tokens and denied paths with the reply of each flavor', async () => {
    const token = 'hvs.none';
    const two = '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n';
    assert.deepEqual(await ask(vault, 'kv/x', { token }), { status: 403, body: { errors: [two] } });
    assert.deepEqual(await ask(bao, 'kv/x', { token }), {
      status: 403,
      body: { errors: ['permission denied'] },
    });
    const weak = vault.createToken({ policies: [] });
    const one = '1 error occurred:\n\t* permission denied\n\n';
    assert.deepEqual(await ask(vault, 'kv/x', { token: weak }), { status: 403, body: { errors: [one] } });
    assert.equal((await ask(vault, 'nomount/x')).status, 404);
    assert.equal((await ask(vault, 'nomount/x', { token: weak })).status, 403);
  });

  it('reports its health by status, except for OpenBao inside a namespace', async () => {
    const own = await createVaultDouble();
    const status = async (query = ''): Promise<number> => (await ask(own, `sys/health${query}`)).status;
    assert.equal(await status(), 200);
    own.vaultState.standby = 'forwards';
    assert.deepEqual(
      [await status(), await status('?standbyok=true'), await status('?standbycode=299')],
      [429, 200, 299],
    );
    own.vaultState.performanceStandby = true;
    assert.equal(await status(), 473);
    own.vaultState.drSecondary = true;
    assert.equal(await status(), 472);
    own.seal();
    assert.equal(await status(), 503);
    assert.deepEqual(await ask(own, 'kv/x'), { status: 503, body: { errors: ['Vault is sealed'] } });
    own.vaultState.initialized = false;
    assert.equal(await status(), 501);
    await own.close();
    const inside = await ask(bao, 'sys/health', { namespace: 'team' });
    assert.deepEqual(inside, { status: 400, body: { errors: ['operation unavailable in namespaces'] } });
  });

  it('reports the options of the engine that serves a path', async () => {
    const options = async (path: string, asked?: VaultCall): Promise<unknown> =>
      ((await ask(vault, `sys/internal/ui/mounts/${path}`, asked)).body as { data?: { options: unknown } })
        .data?.options;
    assert.deepEqual(
      [await options('secret/x'), await options('kv/x')],
      [{ version: '2' }, { version: '1' }],
    );
    const token = vault.createToken({ policies: [] });
    assert.equal((await ask(vault, 'sys/internal/ui/mounts/secret/x', { token })).status, 403);
  });

  it('logs in an AppRole, and locks it after five failures', async () => {
    const { roleId, secretId } = vault.createAppRole('r', { policies: ['p'], ttl: 100 });
    const login = (secret: string | undefined): ReturnType<typeof ask> =>
      ask(vault, 'auth/approle/login', { method: 'POST', body: { role_id: roleId, secret_id: secret } });
    const { auth } = (await login(secretId)).body as { auth: Record<string, unknown> };
    assert.deepEqual(
      [auth['lease_duration'], auth['renewable'], auth['metadata']],
      [100, true, { role_name: 'r' }],
    );
    assert.deepEqual((await login(undefined)).body, { errors: ['missing secret_id'] });
    for (let failure = 0; failure < 5; failure += 1) assert.equal((await login('wrong')).status, 400);
    assert.equal((await login(secretId)).status, 403);
  });

  it('looks up a token, renews it up to its maximum life, expires it and revokes it', async () => {
    const own = await createVaultDouble();
    const token = own.createToken({ policies: [], ttl: 100, maxTtl: 150 });
    const ttl = async (): Promise<unknown> =>
      ((await ask(own, 'auth/token/lookup-self', { token })).body as { data: { ttl: number } }).data.ttl;
    own.advance(80);
    assert.ok(Number(await ttl()) <= 20);
    const renewed = await ask(own, 'auth/token/renew-self', {
      method: 'POST',
      token,
      body: { increment: 100 },
    });
    assert.match(JSON.stringify(renewed.body), /capped accordingly/);
    own.advance(71);
    assert.equal((await ask(own, 'auth/token/lookup-self', { token })).status, 403);
    const second = own.createToken({ policies: [], ttl: 100 });
    const revoked = await ask(own, 'auth/token/revoke-self', { method: 'POST', token: second });
    assert.deepEqual(revoked, { status: 204, body: undefined });
    assert.equal((await ask(own, 'auth/token/lookup-self', { token: second })).status, 403);
    await own.close();
  });

  it('isolates namespaces, by header or by path', async () => {
    vault.mountKv('secret', 2, 'team/a');
    vault.putSecret({ path: 'n', namespace: 'team/a' }, { k: 'v' });
    assert.equal((await ask(vault, 'secret/data/n')).status, 404);
    assert.equal((await ask(vault, 'secret/data/n', { namespace: '/team/a/' })).status, 200);
    assert.equal((await ask(vault, 'team/a/secret/data/n')).status, 200);
  });

  it('answers like each kind of standby node', async () => {
    const own = await createVaultDouble();
    own.vaultState.standby = { redirectTo: 'https://active' };
    assert.equal((await ask(own, 'kv/x')).status, 307);
    own.vaultState.standby = 'local-not-active';
    assert.equal((await ask(own, 'kv/x')).status, 500);
    own.vaultState.standby = 'not-active';
    assert.deepEqual((await ask(own, 'kv/x')).body, { errors: ['node is not active'] });
    await own.close();
  });
});
