import assert from 'node:assert/strict';
import { access, rm, writeFile } from 'node:fs/promises';
import { column } from '../../support/columns.js';
import { writeInput } from '../../support/input-file.js';
import type { AppRoleAuth } from '../fixtures.js';
import { createTokenBench, edgeRole, type TokenBench } from './token-bench.js';

const SECRET_ID = 'auth/approle/role/edge/secret-id';

describe('the Vault login by method', () => {
  let bench: TokenBench;
  beforeEach(async () => {
    bench = await createTokenBench();
  });
  afterEach(() => bench.close());
  const wrapped = (auth: AppRoleAuth): AppRoleAuth => ({
    ...auth,
    secretIdWrapped: true,
    secretIdWrapPath: SECRET_ID,
  });
  const wrapSecretId = (): string =>
    bench.vault.wrap(SECRET_ID, { data: { secret_id: bench.vault.createSecretId('edge') } });
  const security = (): number => bench.lines.filter(({ fields }) => fields['event'] === 'security').length;

  it('counts a login with a user name as a login (bug: as a write)', async () => {
    const passwordFile = await bench.write('password', 'c4n4ry-password');
    const auth = {
      method: 'userpass',
      mount: 'people',
      namespace: null,
      username: 'ada',
      passwordFile,
    } as const;
    const { tokens, requests } = await bench.open(auth);
    await assert.rejects(tokens.current());
    assert.deepEqual(bench.paths(), ['auth/people/login/ada']);
    assert.deepEqual(column(requests(), 'op'), ['login']);
  });

  it('A-02 logs in with the service account token, which it reads for every login', async () => {
    const role = { kind: 'kubernetes', policies: ['edge'], mount: 'clusters/a', ttl: 60 } as const;
    bench.vault.createLoginRole('edge', { ...role, credential: 'jwt-1' });
    const jwtFile = await bench.write('jwt', 'jwt-1\n');
    const auth = {
      method: 'kubernetes',
      mount: 'clusters/a',
      namespace: null,
      role: 'edge',
      jwtFile,
    } as const;
    const { tokens } = await bench.open(auth);
    await tokens.current();
    assert.deepEqual(bench.paths(), ['auth/clusters/a/login']);
    assert.deepEqual(JSON.parse(bench.sent[0]!.body), { role: 'edge', jwt: 'jwt-1' });
    bench.vault.createLoginRole('edge', { ...role, credential: 'jwt-2' });
    tokens.drop(await tokens.current());
    await assert.rejects(tokens.current(), { code: 'VAULT_LOGIN_FAILED', fix: /service account/ });
    await writeFile(jwtFile, 'jwt-2');
    await bench.time.pass(5000);
    await tokens.current();
  });

  it('A-03 lets the mount choose the role when the settings name no role', async () => {
    bench.vault.createLoginRole('preset', { kind: 'jwt', policies: [], credential: 'j' });
    const jwtFile = await bench.write('jwt', 'j');
    const auth = { method: 'jwt', mount: 'jwt', namespace: null, jwtFile } as const;
    const { tokens } = await bench.open({ ...auth, role: null });
    await tokens.current();
    assert.deepEqual(JSON.parse(bench.sent[0]!.body), { jwt: 'j' });
    const wrong = await bench.open({ ...auth, role: 'x' });
    await assert.rejects(wrong.tokens.current(), { code: 'VAULT_LOGIN_FAILED', fix: /jwtFile/ });
  });

  it('A-01 sends no secret ID when the settings name no secret ID file', async () => {
    const { secretIdFile, ...auth } = await edgeRole(bench);
    await rm(secretIdFile);
    const { tokens } = await bench.open(auth);
    await assert.rejects(tokens.current(), { code: 'VAULT_LOGIN_FAILED' });
    assert.deepEqual(Object.keys(JSON.parse(bench.sent[0]!.body) as object), ['role_id']);
  });

  it('R-16 logs in within the namespace of the login method', async () => {
    const auth = await edgeRole(bench);
    const { tokens, client } = await bench.open({ ...auth, namespace: 'admin' }, { namespace: 'team' });
    await client.read('secret/data/a', await tokens.current()).catch(() => undefined);
    const rooted = await bench.open({ ...auth, namespace: '' }, { namespace: 'team' });
    await rooted.tokens.current();
    const namespaces = bench.sent.map(({ headers }) => headers['x-vault-namespace']);
    assert.deepEqual(namespaces, ['admin', 'team', undefined]);
  });

  it('A-08 unwraps a secret ID once, and reuses it', async () => {
    const auth = await edgeRole(bench);
    writeInput(auth.secretIdFile, wrapSecretId());
    const { tokens } = await bench.open({ ...wrapped(auth), removeSecretIdFile: true });
    tokens.drop(await tokens.current());
    await tokens.current();
    const login = 'auth/approle/login';
    assert.deepEqual(bench.paths(), ['sys/wrapping/lookup', 'sys/wrapping/unwrap', login, login]);
    await assert.rejects(access(auth.secretIdFile), { code: 'ENOENT' });
    assert.equal(security(), 0);
  });

  it('A-08 does not unwrap a secret ID that was wrapped at another path', async () => {
    const auth = await edgeRole(bench);
    const wrapping = bench.vault.wrap('sys/wrapping/wrap', { data: { secret_id: 'CANARY' } });
    writeInput(auth.secretIdFile, wrapping);
    const { tokens } = await bench.open(wrapped(auth));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await assert.rejects(tokens.current(), { code: 'VAULT_WRAP_INVALID', message: /not created at/ });
      await bench.time.pass(300_000);
    }
    assert.deepEqual(bench.paths(), ['sys/wrapping/lookup']);
    assert.ok(bench.vault.vaultState.wrappings.has(wrapping));
    assert.equal(security(), 1);
  });

  it('A-08 logs one security event when the wrapped secret ID was already used', async () => {
    const auth = await edgeRole(bench);
    writeInput(auth.secretIdFile, 'hvs.CANARY-used-before');
    const { tokens } = await bench.open(wrapped(auth));
    await assert.rejects(tokens.current(), { code: 'VAULT_WRAP_INVALID', message: /already used/ });
    await bench.time.pass(300_000);
    await assert.rejects(tokens.current(), { code: 'VAULT_WRAP_INVALID' });
    assert.equal(security(), 1);
    assert.ok(!JSON.stringify(bench.lines).includes('CANARY'));
    await bench.time.pass(300_000);
    writeInput(auth.secretIdFile, wrapSecretId());
    await tokens.current();
  });
});
