import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import type { SecretSource } from '../../../src/secrets/open-secrets.js';
import { writeInput } from '../../support/input-file.js';
import {
  createBench,
  failureOf,
  requests,
  resolveAll,
  THREE_ATTEMPTS,
  valueOf,
  type Bench,
} from '../fixtures.js';

const LOGIN = 'POST /v1/auth/approle/login';
const READ = 'GET /v1/secret/data/a';

describe('the Vault login', () => {
  let bench: Bench;
  let now: number;
  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1);
    bench = await createBench({ clock: { now: () => now } });
    bench.vault.putSecret({ path: 'a' }, { k: 'c4n4ry-v-value' });
    bench.vault.putPolicy('edge', { 'secret/data/*': ['read'] });
  });
  afterEach(() => bench.close());
  const VALUE = 'c4n4ry-v-value';
  const read = (source: SecretSource) => valueOf(source, '$VAULT_a#k');
  /** Returns the token of the last request. */
  const tokenInUse = (): string => bench.sent.at(-1)?.headers['x-vault-token'] ?? '';

  it('A-01 exchanges the AppRole credentials for a token once', async () => {
    const source = bench.open({ auth: await bench.appRole(['edge']) });
    assert.equal(await read(source), VALUE);
    assert.equal(await read(source), VALUE);
    assert.deepEqual(requests(bench), [LOGIN, READ, READ]);
  });

  it('A-05 reads the token from the environment or from a file', async () => {
    assert.equal(await read(bench.open()), VALUE);
    const tokenFile = await bench.write('token', '');
    await rm(tokenFile);
    const source = bench.open({ auth: { method: 'token', tokenFile, tokenEnv: 'OTHER' } });
    assert.equal(await read(source), 'VAULT_LOGIN_FAILED');
    await writeFile(tokenFile, '\n');
    assert.equal(await read(source), 'VAULT_LOGIN_FAILED');
    writeInput(tokenFile, `${bench.vault.rootToken}\n`);
    assert.equal(await read(source), VALUE);
  });

  it('names the environment variable that is not set', async () => {
    const source = bench.open({ auth: { method: 'token', tokenEnv: 'NOT_SET' } });
    const { code, text } = await failureOf(source, '$VAULT_a#k');
    assert.equal(code, 'VAULT_LOGIN_FAILED');
    assert.match(text, /NOT_SET/);
    assert.deepEqual(bench.sent, []);
  });

  it('A-06 reads the token file again when Vault refuses its token', async () => {
    const old = bench.vault.createToken({ policies: ['edge'] });
    const tokenFile = await bench.write('token', old);
    const source = bench.open({ auth: { method: 'token', tokenFile, tokenEnv: 'OTHER' } });
    assert.equal(await read(source), VALUE);
    bench.vault.revokeToken(old);
    writeInput(tokenFile, bench.vault.createToken({ policies: ['edge'] }));
    assert.equal(await read(source), VALUE);
  });

  it('A-07 uses a new secret ID at the next login, and the last one when its file is missing', async () => {
    const auth = await bench.appRole(['edge']);
    const source = bench.open({ auth });
    await read(source);
    const second = bench.vault.createSecretId('edge');
    writeInput(auth.secretIdFile, second);
    now += 1200_000;
    assert.equal(await read(source), VALUE);
    await rm(auth.secretIdFile);
    now += 1200_000;
    assert.equal(await read(source), VALUE);
    const logins = bench.sent.filter(({ path }) => path.endsWith('/login'));
    assert.deepEqual(
      logins.map(({ body }) => body.includes(second)),
      [false, true, true],
    );
  });

  it('A-09 spaces refused logins, so that Vault does not lock the role', async () => {
    const auth = await bench.appRole(['edge']);
    writeInput(auth.secretIdFile, 'wrong');
    const source = bench.open({ auth, request: THREE_ATTEMPTS });
    for (let second = 0; second < 60; second += 1) {
      assert.equal(await read(source), 'VAULT_LOGIN_FAILED');
      now += 1000;
    }
    assert.deepEqual(requests(bench), [LOGIN, LOGIN]);
  });

  it('A-09 reports a role that Vault has locked', async () => {
    const auth = await bench.appRole(['edge']);
    bench.vault.faults.next({ status: 403, body: { errors: ['permission denied'] } });
    const { code, text } = await failureOf(bench.open({ auth }), '$VAULT_a#k');
    assert.equal(code, 'VAULT_LOCKED_OUT');
    assert.match(text, /\| .*15 minutes/);
  });

  it('A-10 replaces a refused token once for many reads', async () => {
    const paths = Array.from({ length: 20 }, (_, at) => `p${at}`);
    for (const path of paths) bench.vault.putSecret({ path }, { k: path });
    const source = bench.open({ auth: await bench.appRole(['edge']) });
    await read(source);
    bench.vault.revokeToken(tokenInUse());
    bench.sent.length = 0;
    const document = Object.fromEntries(paths.map((path) => [path, `$VAULT_${path}#k`]));
    const values = Object.fromEntries(paths.map((path) => [path, path]));
    assert.deepEqual(await resolveAll(source, document), values);
    assert.equal(requests(bench).filter((request) => request === LOGIN).length, 1);
  });

  it('A-11 and A-12 retries a denied path with one new token, at most once per minute', async () => {
    bench.vault.putPolicy('edge', {});
    const source = bench.open({ auth: await bench.appRole(['edge']) });
    const { code, text } = await failureOf(source, '$VAULT_a#k');
    assert.equal(code, 'VAULT_DENIED');
    assert.match(text, /\| .*path "secret\/data\/a" \{ capabilities = \["read"\] \}/);
    assert.deepEqual(requests(bench), [LOGIN, READ, LOGIN, READ]);
    await read(source);
    assert.equal(requests(bench).length, 5);
    now += 60_000;
    await read(source);
    assert.equal(requests(bench).length, 8);
    bench.vault.putPolicy('edge', { 'secret/data/*': ['read'] });
    assert.equal(await read(source), VALUE);
  });

  it('A-11 logs in at most once per minute for any number of denied paths', async () => {
    bench.vault.putPolicy('edge', {});
    const source = bench.open({ auth: await bench.appRole(['edge']) });
    for (let at = 0; at < 10; at += 1) {
      assert.equal(await valueOf(source, `$VAULT_p${at}#k`), 'VAULT_DENIED');
      now += 1000;
    }
    assert.equal(requests(bench).filter((request) => request === LOGIN).length, 2);
  });

  it('distinguishes an expired token from a missing policy', async () => {
    const token = bench.vault.createToken({ policies: ['edge'], ttl: 600 });
    const tokenFile = await bench.write('token', token);
    bench.vault.revokeToken(token);
    const source = bench.open({ auth: { method: 'token', tokenFile, tokenEnv: 'OTHER' } });
    const { code, text } = await failureOf(source, '$VAULT_a#k');
    assert.equal(code, 'VAULT_LOGIN_FAILED');
    assert.match(text, /has ended.*Write a new token/);
    assert.deepEqual(requests(bench), []);
  });

  it('A-15 logs in again after the token has expired, even if the timers are late', async () => {
    const source = bench.open({ auth: await bench.appRole(['edge']) });
    await read(source);
    now += 1201_000;
    await read(source);
    assert.deepEqual(requests(bench), [LOGIN, READ, LOGIN, READ]);
  });

  it('A-18 revokes its own token on close, but not a configured token', async () => {
    const own = bench.open({ auth: await bench.appRole(['edge']) });
    await read(own);
    await own.close();
    assert.equal(requests(bench).at(-1), 'POST /v1/auth/token/revoke-self');
    assert.equal(bench.vault.knowsToken(tokenInUse()), false);
    const foreign = bench.open();
    await read(foreign);
    await foreign.close();
    assert.equal(requests(bench).at(-1), READ);
    assert.equal(bench.vault.knowsToken(tokenInUse()), true);
  });

  it('A-18 does not wait on close for a Vault that hangs', async () => {
    const source = bench.open({ auth: await bench.appRole(['edge']) });
    await read(source);
    bench.vault.faults.next({ hang: true });
    await source.close();
  });
});
