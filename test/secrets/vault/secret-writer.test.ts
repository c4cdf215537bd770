import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Secret } from '../../../src/core/secret.js';
import { findReferences } from '../../../src/secrets/find-references.js';
import { openSecrets, type SecretDeps, type SecretSource } from '../../../src/secrets/open-secrets.js';
import { SecretError } from '../../../src/secrets/secret-error.js';
import { createBench, requests, resolveAll, THREE_ATTEMPTS, type Bench } from '../fixtures.js';

const CANARY = 'c4n4ry-w-written';
const PATH = 'adapters/nso1';

function store(source: SecretSource, fields: Readonly<Record<string, string>>): Promise<void> {
  const entries = Object.entries(fields).map(([name, text]) => [name, new Secret(text)] as const);
  return source.store(PATH, new Map(entries));
}

async function errorOf(work: Promise<void>): Promise<SecretError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  assert.ok(error instanceof SecretError);
  assert.ok(!`${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}`.includes('c4n4ry'));
  return error;
}

describe('SecretSource.store', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await createBench();
  });
  afterEach(() => bench.close());
  const [PASSWORD, TOKEN] = [`$VAULT_${PATH}#password`, `$VAULT_${PATH}#token`];

  for (const version of [2, 1, 'auto'] as const)
    it(`creates a secret, and keeps the fields that it does not write (kvVersion ${version})`, async () => {
      const changes = { kvVersion: version, ...(version === 1 && { mount: 'kv' }) };
      await store(bench.open(changes), { password: CANARY });
      await store(bench.open(changes), { token: 'c4n4ry-w-token', 'with space': 'x' });
      const stored = await resolveAll(bench.open(changes), { password: PASSWORD, token: TOKEN });
      assert.deepEqual(stored, { password: CANARY, token: 'c4n4ry-w-token' });
      assert.ok(!inspect(bench.log, { depth: 9 }).includes('c4n4ry'));
    });

  it('keeps fields of other types, and overwrites a deleted secret', async () => {
    bench.vault.putSecret({ path: PATH }, { deep: { a: [1, null] }, on: true, port: 22 });
    const source = bench.open();
    await store(source, { password: CANARY });
    const all = { p: PASSWORD, deep: `$VAULT_${PATH}#/deep/a/0`, on: `$VAULT_${PATH}#on` };
    assert.deepEqual(await resolveAll(bench.open(), all), { p: CANARY, deep: 1, on: true });
    bench.vault.deleteVersion({ path: PATH }, 2);
    await store(source, { password: 'c4n4ry-w-again' });
    const missing = { deep: 'VAULT_FIELD_MISSING', on: 'VAULT_FIELD_MISSING' };
    assert.deepEqual(await resolveAll(bench.open(), all), { p: 'c4n4ry-w-again', ...missing });
  });

  it('updates the held value without another read', async () => {
    bench.vault.putSecret({ path: PATH }, { password: 'c4n4ry-w-old' });
    const source = bench.open();
    await resolveAll(source, { p: PASSWORD });
    await store(source, { password: CANARY });
    const before = bench.sent.length;
    const held = await source.resolve(findReferences({ p: PASSWORD }).references, 'held');
    assert.deepEqual(held.get('/p'), { value: CANARY, version: 2 });
    assert.equal(bench.sent.length, before);
  });

  it('writes nothing when the secret already has the values', async () => {
    await store(bench.open(), { password: CANARY });
    bench.sent.length = 0;
    await store(bench.open(), { password: CANARY });
    assert.ok(requests(bench).every((line) => line.startsWith('GET')));
  });

  it('names the missing policy when a read, a create or an update is denied', async () => {
    for (const [name, capabilities] of [
      ['none', []],
      ['reads', ['read']],
      ['creates', ['read', 'create']],
    ] as const) {
      bench.vault.putPolicy(name, { 'secret/data/*': capabilities });
      const source = bench.open({ auth: await bench.appRole([name]) });
      if (name === 'creates') await store(source, { password: CANARY });
      const error = await errorOf(store(source, { password: `${CANARY}-2` }));
      assert.equal(error.code, 'VAULT_DENIED');
      const policy = 'path "secret/data/adapters/*" { capabilities = ["create", "update", "read"] }';
      assert.ok(error.fix.includes(policy), error.fix);
    }
    bench.vault.putPolicy('edge', { 'secret/data/adapters/*': ['create', 'update', 'read'] });
    await store(bench.open({ auth: await bench.appRole(['edge']) }), { password: `${CANARY}-3` });
  });

  it('refuses a mount with another KV version than the settings', async () => {
    for (const wrong of [{ kvVersion: 1 }, { mount: 'kv', kvVersion: 2 }] as const) {
      const { code } = await errorOf(store(bench.open(wrong), { password: CANARY }));
      assert.equal(code, 'VAULT_KV_VERSION_MISMATCH');
    }
  });

  it('refuses to write back a number that it cannot read exactly', async () => {
    bench.vault.putSecret({ path: PATH }, { serial: 2 ** 60 });
    const { code } = await errorOf(store(bench.open(), { password: CANARY }));
    assert.equal(code, 'VAULT_FIELD_NOT_SCALAR');
  });

  it('loses no field when two sources write at the same time', async () => {
    const [one, two] = [bench.open(), bench.open()];
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name, at) => store(at % 2 ? one : two, { [name]: `${CANARY}-${name}` })));
    const asked = Object.fromEntries(names.map((name) => [name, `$VAULT_${PATH}#${name}`]));
    const wanted = Object.fromEntries(names.map((name) => [name, `${CANARY}-${name}`]));
    assert.deepEqual(await resolveAll(bench.open(), asked), wanted);
  });

  it('fails with VAULT_NOT_CONFIGURED without the settings vault', async () => {
    const source = openSecrets({ vault: null, secrets: { files: null } }, {} as SecretDeps);
    assert.equal((await errorOf(store(source, { password: CANARY }))).code, 'VAULT_NOT_CONFIGURED');
  });
});

describe('SecretSource.store while Vault returns errors', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await createBench();
  });
  afterEach(() => bench.close());
  const retrying = { request: THREE_ATTEMPTS };
  const isWrite = ({ method }: { readonly method: string }): boolean => method === 'POST';
  const writes = (): number => bench.vault.log.filter(isWrite).length;

  it('writes again after a reply that proves that nothing was written', async () => {
    bench.vault.faults.next({ match: isWrite, status: 503 });
    await store(bench.open(retrying), { password: CANARY });
    assert.equal(writes(), 2);
  });

  for (const fault of [{ reset: true as const }, { status: 500 }, { status: 504 }])
    it(`does not repeat a write that Vault may have processed: ${JSON.stringify(fault)}`, async () => {
      bench.vault.faults.next({ match: isWrite, ...fault });
      const { code } = await errorOf(store(bench.open(retrying), { password: CANARY }));
      assert.equal(code, 'VAULT_UNAVAILABLE');
      assert.equal(writes(), 1);
    });

  it('writes on the current version after a version conflict, up to four attempts', async () => {
    const body = { errors: ['check-and-set parameter did not match the current version'] };
    bench.vault.faults.next({ match: isWrite, status: 400, body, times: 3 });
    await store(bench.open(), { password: CANARY });
    assert.equal(writes(), 4);
    bench.vault.faults.next({ match: isWrite, status: 400, body, times: 4 });
    const { code } = await errorOf(store(bench.open(), { password: `${CANARY}-2` }));
    assert.equal(code, 'VAULT_WRITE_CONFLICT');
  });

  it('uses the second address when the first is down, and counts the write', async () => {
    const source = bench.open({ address: ['http://127.0.0.1:1', bench.vault.address] });
    await store(source, { password: CANARY });
    assert.ok(source.traffic().requests.some(({ op, code }) => op === 'write' && code === '200'));
  });

  it('succeeds when the secret cannot be read after the write', async () => {
    const source = bench.open();
    await source.resolve([]);
    let reads = 0;
    const second = ({ method }: { readonly method: string }): boolean => method === 'GET' && ++reads > 1;
    bench.vault.faults.next({ match: second, status: 503, times: 9 });
    await store(source, { password: CANARY });
    assert.equal(writes(), 1);
  });
});
