import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { SecretError } from '../../../src/secrets/secret-error.js';
import { column } from '../../support/columns.js';
import { type Bench, createBench, requests } from '../fixtures.js';

const CANARY = 'c4n4ry-of-a-browsed-secret';

async function errorOf(work: Promise<unknown>): Promise<SecretError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  assert.ok(error instanceof SecretError, inspect(error));
  return error;
}

describe('SecretSource.browser', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await createBench();
    for (const mount of ['secret', 'kv'])
      for (const path of ['adapters/nso1', 'adapters/nso1/keys', 'adapters/deep/er', 'adapters/sp ace'])
        bench.vault.putSecret({ mount, path }, { username: 'u', password: CANARY });
  });
  afterEach(() => bench.close());

  for (const [engine, changes] of [
    ['KV version 2', {}],
    ['KV version 1', { mount: 'kv', kvVersion: 1 }],
    ['a detected engine of version 2', { kvVersion: 'auto' }],
    ['a detected engine of version 1', { mount: 'kv', kvVersion: 'auto' }],
  ] as const)
    it(`lists folders, secrets and the names of fields of ${engine}, and no values`, async () => {
      const { browser } = bench.open(changes);
      assert.deepEqual(await browser.listFolder(['adapters']), [
        { name: 'deep', isFolder: true, isSecret: false },
        { name: 'nso1', isFolder: true, isSecret: true },
        { name: 'sp ace', isFolder: false, isSecret: true },
      ]);
      assert.deepEqual(column(await browser.listFolder([]), 'name'), ['adapters']);
      assert.deepEqual(await browser.listFolder(['none']), []);
      assert.deepEqual(await browser.listFields(['adapters', 'nso1']), ['password', 'username']);
      assert.equal(await browser.listFields(['adapters']), undefined);
      assert.equal(await browser.listFields([]), undefined);
      assert.ok(!inspect(bench.log, { depth: 9 }).includes(CANARY));
    });

  it('names a key that looks like a JSON pointer by a pointer', async () => {
    bench.vault.putSecret({ path: 'odd' }, { '/a~b': 'x', '': 'y', plain: 'z' });
    assert.deepEqual(await bench.open().browser.listFields(['odd']), ['/', '/~1a~0b', 'plain']);
  });

  it('names the missing capability if the policy does not allow to list, and does not log in again', async () => {
    bench.vault.putPolicy('reader', { 'secret/data/adapters/*': ['read'] });
    const source = bench.open({ auth: await bench.appRole(['reader']) });
    const denied = await errorOf(source.browser.listFolder(['adapters']));
    assert.equal(denied.code, 'VAULT_DENIED');
    assert.match(denied.fix, /path "secret\/metadata\/adapters\/\*" \{ capabilities = \["list"\] \}/);
    assert.equal(requests(bench).filter((line) => line.includes('/login')).length, 1);
    assert.deepEqual(await source.browser.listFields(['adapters', 'nso1']), ['password', 'username']);
    bench.vault.putPolicy('reader', { 'secret/metadata/adapters/*': ['list'] });
    assert.equal((await source.browser.listFolder(['adapters'])).length, 3);
  });

  for (const kvVersion of ['auto', 1] as const)
    it(`leaves no credentials of a database engine (kvVersion ${kvVersion})`, async () => {
      const { vault } = bench;
      vault.mountDatabase('db');
      vault.createDatabaseRole('reader', { mount: 'db' });
      const { browser } = bench.open({ mount: 'db', kvVersion });
      const error = await errorOf(browser.listFields(['creds', 'reader']));
      assert.equal(error.code, 'VAULT_PATH_FORBIDDEN');
      assert.deepEqual(
        requests(bench).filter((line) => !line.includes('sys/internal')),
        kvVersion === 'auto' ? [] : ['GET /v1/db/creds/reader', 'POST /v1/sys/leases/revoke'],
      );
      assert.equal(vault.vaultState.leases.size, 0);
    });

  it('sends a request once if Vault is sealed or slow', async () => {
    bench.vault.faults.next({ match: ({ path }) => path.includes('metadata'), hang: true });
    const source = bench.open({ request: { ...bench.settings().request, deadlineMs: 300 } });
    assert.equal((await errorOf(source.browser.listFolder(['adapters']))).code, 'VAULT_TIMEOUT');
    bench.vault.seal();
    const sealed = await errorOf(source.browser.listFolder(['adapters']));
    assert.deepEqual([sealed.code, sealed.fix], ['VAULT_SEALED', 'Unseal Vault.']);
    assert.deepEqual(bench.waits, []);
  });

  it('says that a folder has too many names', async () => {
    for (let at = 0; at < 12_000; at += 1)
      bench.vault.putSecret({ path: `many/${String(at).padStart(100, '0')}` }, { k: 'v' });
    const error = await errorOf(bench.open().browser.listFolder(['many']));
    assert.match(error.message, /has too many names to list/);
  });
});
