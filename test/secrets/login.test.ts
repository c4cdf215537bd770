import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Flavour } from '../support/vault-double/world.js';
import { createBench, requests, resolveAll, resolveOne, type Bench } from './fixtures.js';

const LOGIN = 'POST /v1/auth/approle/login';
const READ = 'GET /v1/secret/data/a';

describe('logging in to Vault', () => {
  let bench: Bench;
  let now: number;
  const prepare = async (flavour: Flavour = 'vault'): Promise<void> => {
    now = Date.UTC(2026, 0, 1);
    bench = await createBench({ flavour, clock: { now: () => now } });
    bench.vault.putSecret({ path: 'a' }, { k: 'v' });
    bench.vault.putPolicy('edge', { 'secret/data/*': ['read'] });
  };
  beforeEach(() => prepare());
  afterEach(() => bench.close());
  const read = { a: '$VAULT_a#k' };

  it('A-01 trades the AppRole for a token, once', async () => {
    const source = bench.open({ auth: await bench.appRole(['edge']) });
    assert.deepEqual(await resolveAll(source, read), { a: 'v' });
    assert.deepEqual(await resolveAll(source, read), { a: 'v' });
    assert.deepEqual(requests(bench.vault), [LOGIN, READ, READ]);
  });

  it('A-05 takes the token from the environment or from a file', async () => {
    assert.deepEqual(await resolveAll(bench.open(), read), { a: 'v' });
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-token-'));
    const tokenFile = join(folder, 'token');
    const source = bench.open({ auth: { method: 'token', tokenFile, tokenEnv: 'OTHER' } });
    assert.deepEqual(await resolveAll(source, read), { a: 'VAULT_LOGIN_FAILED' });
    await writeFile(tokenFile, '\n');
    assert.deepEqual(await resolveAll(source, read), { a: 'VAULT_LOGIN_FAILED' });
    await writeFile(tokenFile, `${bench.vault.rootToken}\n`);
    assert.deepEqual(await resolveAll(source, read), { a: 'v' });
    await rm(folder, { recursive: true });
  });

  it('names the variable that is not set', async () => {
    const outcome = await resolveOne(
      bench.open({ auth: { method: 'token', tokenEnv: 'NOT_SET' } }),
      '$VAULT_a#k',
    );
    assert.ok('code' in outcome && outcome.code === 'VAULT_LOGIN_FAILED');
    assert.match(outcome.message, /NOT_SET/);
    assert.deepEqual(bench.vault.log, []);
  });

  it('A-06 reads a token file anew when its token is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-token-'));
    const tokenFile = join(folder, 'token');
    const old = bench.vault.createToken({ policies: ['edge'] });
    await writeFile(tokenFile, old);
    const source = bench.open({ auth: { method: 'token', tokenFile, tokenEnv: 'OTHER' } });
    assert.deepEqual(await resolveAll(source, read), { a: 'v' });
    bench.vault.revokeToken(old);
    await writeFile(tokenFile, bench.vault.createToken({ policies: ['edge'] }));
    assert.deepEqual(await resolveAll(source, read), { a: 'v' });
    await rm(folder, { recursive: true });
  });

  it('A-07 uses a new secret id at the next login, and the old one when its file is gone', async () => {
    const auth = await bench.appRole(['edge']);
    const source = bench.open({ auth });
    await resolveAll(source, read);
    const second = bench.vault.createSecretId('edge');
    await writeFile(auth.secretIdFile, second);
    now += 1200_000;
    assert.deepEqual(await resolveAll(source, read), { a: 'v' });
    await rm(auth.secretIdFile);
    now += 1200_000;
    assert.deepEqual(await resolveAll(source, read), { a: 'v' });
    const used = bench.vault.log
      .filter(({ path }) => path.endsWith('/login'))
      .map(({ body }) => body.includes(second));
    assert.deepEqual(used, [false, true, true]);
  });

  it('A-09 spaces refused logins, so that Vault does not lock the role', async () => {
    const auth = await bench.appRole(['edge']);
    await writeFile(auth.secretIdFile, 'wrong');
    const source = bench.open({ auth, request: { deadlineMs: 5000, attempts: 3, concurrency: 8 } });
    for (let second = 0; second < 60; second += 1) {
      assert.deepEqual(await resolveAll(source, read), { a: 'VAULT_LOGIN_FAILED' });
      now += 1000;
    }
    assert.deepEqual(requests(bench.vault), [LOGIN, LOGIN]);
  });

  it('A-09 tells of a lock', async () => {
    const auth = await bench.appRole(['edge']);
    bench.vault.faults.next({ status: 403, body: { errors: ['permission denied'] } });
    const outcome = await resolveOne(bench.open({ auth }), '$VAULT_a#k');
    assert.ok('code' in outcome && outcome.code === 'VAULT_LOCKED_OUT');
    assert.match(outcome.fix, /15 minutes/);
  });

  for (const flavour of ['vault', 'openbao'] as const) {
    it(`A-10 replaces a refused token once, for many reads (${flavour})`, async () => {
      await bench.close();
      await prepare(flavour);
      const paths = Array.from({ length: 20 }, (_, at) => `p${at}`);
      for (const path of paths) bench.vault.putSecret({ path }, { k: path });
      const source = bench.open({ auth: await bench.appRole(['edge']) });
      await resolveAll(source, read);
      for (const [token, { policies }] of bench.vault.world.tokens)
        if (!policies.includes('root')) bench.vault.revokeToken(token);
      bench.vault.log.length = 0;
      const document = Object.fromEntries(paths.map((path) => [path, `$VAULT_${path}#k`]));
      const values = Object.fromEntries(paths.map((path) => [path, path]));
      assert.deepEqual(await resolveAll(source, document), values);
      assert.equal(requests(bench.vault).filter((request) => request === LOGIN).length, 1);
    });
  }

  it('A-11 tries a denied path with one new token, and no more often than once a minute', async () => {
    bench.vault.putPolicy('edge', {});
    const source = bench.open({ auth: await bench.appRole(['edge']) });
    const outcome = await resolveOne(source, '$VAULT_a#k');
    assert.ok('code' in outcome && outcome.code === 'VAULT_DENIED');
    assert.match(outcome.fix, /path "secret\/data\/a" \{ capabilities = \["read"\] \}/);
    assert.deepEqual(requests(bench.vault), [LOGIN, READ, LOGIN, READ]);
    await resolveAll(source, read);
    assert.equal(requests(bench.vault).length, 5);
    now += 60_000;
    bench.vault.putPolicy('edge', { 'secret/data/*': ['read'] });
    assert.deepEqual(await resolveAll(source, read), { a: 'v' });
  });

  for (const flavour of ['vault', 'openbao'] as const)
    it(`A-12 reads again without a restart when the policy is put right later (${flavour})`, async () => {
      await bench.close();
      await prepare(flavour);
      bench.vault.putPolicy('edge', {});
      const source = bench.open({ auth: await bench.appRole(['edge']) });
      for (let minute = 0; minute < 5; minute += 1) {
        assert.deepEqual(await resolveAll(source, read), { a: 'VAULT_DENIED' });
        now += 60_000;
      }
      bench.vault.putPolicy('edge', { 'secret/data/*': ['read'] });
      assert.deepEqual(await resolveAll(source, read), { a: 'v' });
    });

  it('A-11 logs in once a minute at most, however many paths are denied', async () => {
    bench.vault.putPolicy('edge', {});
    const source = bench.open({ auth: await bench.appRole(['edge']) });
    for (let at = 0; at < 10; at += 1) {
      assert.deepEqual(await resolveAll(source, { a: `$VAULT_p${at}#k` }), { a: 'VAULT_DENIED' });
      now += 1000;
    }
    assert.equal(requests(bench.vault).filter((request) => request === LOGIN).length, 2);
  });

  it('tells a token that has ended from a policy that is missing', async () => {
    const source = bench.open();
    bench.vault.revokeToken(bench.vault.rootToken);
    const outcome = await resolveOne(source, '$VAULT_a#k');
    assert.ok('code' in outcome && outcome.code === 'VAULT_DENIED');
    assert.match(outcome.message, /^The token has ended or was revoked/);
    assert.deepEqual(requests(bench.vault), [READ]);
  });

  it('A-15 logs in anew when the token has ended, however late the timers are', async () => {
    const source = bench.open({ auth: await bench.appRole(['edge']) });
    await resolveAll(source, read);
    now += 1201_000;
    await resolveAll(source, read);
    assert.deepEqual(requests(bench.vault), [LOGIN, READ, LOGIN, READ]);
  });

  it('A-18 revokes its own token at the end, and no other', async () => {
    const own = bench.open({ auth: await bench.appRole(['edge']) });
    await resolveAll(own, read);
    await own.close();
    assert.equal(requests(bench.vault).at(-1), 'POST /v1/auth/token/revoke-self');
    assert.equal(bench.vault.world.tokens.size, 1);
    const foreign = bench.open();
    await resolveAll(foreign, read);
    await foreign.close();
    assert.equal(requests(bench.vault).at(-1), READ);
  });

  it('A-18 does not wait for a Vault that hangs', async () => {
    const source = bench.open({ auth: await bench.appRole(['edge']) });
    await resolveAll(source, read);
    bench.vault.faults.next({ hang: true });
    const started = performance.now();
    await source.close();
    assert.ok(performance.now() - started < 2500);
  });
});
