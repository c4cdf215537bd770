import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { withValues } from '../../src/json/pointer.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { findReferences } from '../../src/secrets/find-references.js';
import { openSecrets } from '../../src/secrets/open-secrets.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { memoryLog } from '../support/memory-log.js';
import { createBench, requests, resolveAll, resolveOne, type Bench } from './fixtures.js';

const HOUR_MS = 3_600_000;

describe('the resolution of references', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await createBench();
    bench.vault.putSecret({ path: 'a' }, { user: 'c4n4ry-user-1', password: 'c4n4ry-password-1' });
  });
  afterEach(() => bench.close());

  it('R-01 reads KV version 1', async () => {
    bench.vault.putSecret({ mount: 'kv', path: 'x/y' }, { k: 'c4n4ry-v-value' });
    const source = bench.open({ mount: 'kv', kvVersion: 1 });
    assert.deepEqual(await resolveAll(source, { a: '$VAULT_x/y#k' }), { a: 'c4n4ry-v-value' });
    assert.deepEqual(requests(bench), ['GET /v1/kv/x/y']);
  });

  it('R-02 reads the latest version of KV version 2', async () => {
    bench.vault.putSecret({ path: 'a' }, { user: 'c4n4ry-user-2', password: 'c4n4ry-password-2' });
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_a#user' }), { a: 'c4n4ry-user-2' });
  });

  it('R-03 reads a pinned version', async () => {
    bench.vault.putSecret({ path: 'a' }, { user: 'c4n4ry-user-2' });
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_a?version=1#user' }), {
      a: 'c4n4ry-user-1',
    });
    assert.deepEqual(requests(bench), ['GET /v1/secret/data/a?version=1']);
  });

  it('G-06 resolves the notation $SECRET_ of the platform', async () => {
    assert.deepEqual(await resolveAll(bench.open(), { a: '$SECRET_a $KEY_user' }), { a: 'c4n4ry-user-1' });
    assert.deepEqual(requests(bench), ['GET /v1/secret/data/a']);
  });

  it('R-04 reads each path and version once for all its fields', async () => {
    const source = bench.open();
    const fields = {
      a: '$VAULT_a#user',
      b: '$VAULT_a#password',
      c: '$SECRET_a $KEY_user',
      d: `$VAULT_/secret/a#user`,
    };
    assert.deepEqual(await resolveAll(source, fields), {
      a: 'c4n4ry-user-1',
      b: 'c4n4ry-password-1',
      c: 'c4n4ry-user-1',
      d: 'c4n4ry-user-1',
    });
    assert.equal(bench.sent.length, 1);
    await resolveAll(source, { ...fields, e: '$VAULT_a?version=1#user' });
    assert.equal(bench.sent.length, 3);
  });

  it('R-04 shares one read between concurrent callers', async () => {
    const source = bench.open();
    await Promise.all(Array.from({ length: 5 }, () => resolveAll(source, { a: '$VAULT_a#user' })));
    assert.equal(bench.sent.length, 1);
  });

  it('R-04 limits concurrent reads to 8', async () => {
    const paths = Array.from({ length: 100 }, (_, at) => [`p${at}`, `$VAULT_p${at}#x`]);
    await resolveAll(bench.open(), Object.fromEntries(paths) as Record<string, string>);
    assert.equal(bench.sent.length, 100);
    assert.equal(bench.maxConcurrent(), 8);
  });

  it('R-05 never mixes fields of two versions', async () => {
    const source = bench.open();
    for (let turn = 2; turn < 6; turn += 1) {
      bench.vault.putSecret(
        { path: 'a' },
        { user: `c4n4ry-user-${turn}`, password: `c4n4ry-password-${turn}` },
      );
      const pair = await resolveAll(source, { u: '$VAULT_a#user', p: '$VAULT_a#password' });
      assert.deepEqual(pair, { u: `c4n4ry-user-${turn}`, p: `c4n4ry-password-${turn}` });
    }
  });

  it('R-05 takes all fields from one reply, even if every reply has another version', async () => {
    const { vault } = bench;
    let turn = 0;
    const rotate = (): boolean => {
      turn += 1;
      vault.putSecret({ path: 'a' }, { user: `c4n4ry-user-${turn}`, password: `c4n4ry-password-${turn}` });
      return false;
    };
    vault.faults.next({ match: rotate });
    const pair = { u: '$VAULT_a#user', p: '$VAULT_a#password', v: '$VAULT_/secret/a#user' };
    assert.deepEqual(await resolveAll(bench.open(), pair), {
      u: 'c4n4ry-user-1',
      p: 'c4n4ry-password-1',
      v: 'c4n4ry-user-1',
    });
    assert.deepEqual(await resolveAll(bench.open(), pair), {
      u: 'c4n4ry-user-2',
      p: 'c4n4ry-password-2',
      v: 'c4n4ry-user-2',
    });
  });

  it('R-06 names the path that has no secret', async () => {
    const outcome = await resolveOne(bench.open(), '$VAULT_none#x');
    assert.ok('code' in outcome);
    assert.equal(outcome.code, 'VAULT_NOT_FOUND');
    const { host } = new URL(bench.vault.address);
    const message = outcome.message;
    assert.ok(message.includes(`"secret/data/none" at ${host} (status 404)`), message);
  });

  it('R-07 reports that a version was deleted, and when', async () => {
    const before = Date.now();
    bench.vault.deleteVersion({ path: 'a' }, 1);
    const outcome = await resolveOne(bench.open(), '$VAULT_a#user');
    assert.ok('code' in outcome);
    assert.equal(outcome.code, 'VAULT_VERSION_DELETED');
    const [, when = ''] = /Version 1 was deleted at (\S+Z)/.exec(outcome.message) ?? [];
    assert.ok(Math.abs(Date.parse(when) - before) < HOUR_MS, outcome.message);
    assert.match(outcome.fix, /vault kv undelete/);
  });

  it('R-08 reports that a version was destroyed', async () => {
    bench.vault.destroyVersion({ path: 'a' }, 1);
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_a#user' }), {
      a: 'VAULT_VERSION_DESTROYED',
    });
  });

  it('R-09 reads the current version when the deletion of the previous version is scheduled', async () => {
    bench.vault.putSecret({ path: 'a' }, { user: 'c4n4ry-user-2' });
    bench.vault.deleteVersion({ path: 'a' }, 2, Date.now() + 3_600_000);
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_a#user' }), { a: 'c4n4ry-user-2' });
  });

  it('R-10 names the version that does not exist', async () => {
    const outcome = await resolveOne(bench.open(), '$VAULT_a?version=9#user');
    assert.ok('code' in outcome && outcome.code === 'VAULT_NOT_FOUND');
    assert.match(outcome.message, /version 9$/);
  });

  it('R-11 explains a path with data/ and a wrong KV version', async () => {
    const outcome = await resolveOne(bench.open(), '$VAULT_data/a#user');
    assert.ok('code' in outcome && outcome.code === 'VAULT_NOT_FOUND');
    assert.match(outcome.fix, /Leave "data\/" out/);
    const onV1 = bench.open({ kvVersion: 1 });
    assert.deepEqual(await resolveAll(onV1, { a: '$VAULT_a#user', b: '$VAULT_a?version=1#user' }), {
      a: 'VAULT_KV_VERSION_MISMATCH',
      b: 'VAULT_KV_VERSION_MISMATCH',
    });
    bench.vault.putSecret({ mount: 'kv', path: 'data/b' }, { user: 'u' });
    const onV2 = bench.open({ mount: 'kv' });
    assert.deepEqual(await resolveAll(onV2, { a: '$VAULT_b#user' }), { a: 'VAULT_KV_VERSION_MISMATCH' });
  });

  it('R-13 accepts strings, numbers and booleans, and refuses other types', async () => {
    const data = {
      o: { in: 'x', 'a/b': 'y' },
      z: null,
      e: '',
      n: 8080,
      t: false,
      l: ['x'],
      big: 2 ** 53 + 2,
    };
    bench.vault.putSecret({ path: 's' }, data);
    const document = Object.fromEntries(
      [...Object.keys(data), 'none'].map((key) => [key, `$VAULT_s#${key}`]),
    );
    assert.deepEqual(
      await resolveAll(bench.open(), {
        ...document,
        p: '$VAULT_s#/o/in',
        q: '$VAULT_s#/o/a~1b',
        r: '$VAULT_s#/l/0',
      }),
      {
        o: 'VAULT_FIELD_NOT_SCALAR',
        z: 'VAULT_FIELD_NOT_SCALAR',
        e: 'VAULT_FIELD_EMPTY',
        n: 8080,
        t: false,
        l: 'VAULT_FIELD_NOT_SCALAR',
        big: 'VAULT_FIELD_NOT_SCALAR',
        none: 'VAULT_FIELD_MISSING',
        p: 'x',
        q: 'y',
        r: 'x',
      },
    );
  });

  it('R-14 needs no field name when the secret has only one candidate', async () => {
    bench.vault.putSecret({ path: 'one' }, { k: 'c4n4ry-v-value' });
    bench.vault.putSecret({ path: 'value' }, { value: 'c4n4ry-w-value', other: 'x' });
    bench.vault.putSecret({ path: 'slash' }, { '/k': 'c4n4ry-y-value' });
    const document = { a: '$VAULT_one', b: '$VAULT_value', c: '$VAULT_a', d: '$VAULT_slash' };
    const expected = {
      a: 'c4n4ry-v-value',
      b: 'c4n4ry-w-value',
      c: 'VAULT_FIELD_REQUIRED',
      d: 'c4n4ry-y-value',
    };
    assert.deepEqual(await resolveAll(bench.open(), document), expected);
  });

  it('R-15 decodes base64 strictly, and does not print the content', async () => {
    const data = { good: 'aGVsbG8=', bad: 'CANARY!!', bytes: '//79', short: 'aGVsbG8', n: 1 };
    bench.vault.putSecret({ path: 'b' }, data);
    const document = Object.fromEntries(
      Object.keys(data).map((key) => [key, `$VAULT_b?encoding=base64#${key}`]),
    );
    const bad = 'VAULT_FIELD_ENCODING';
    assert.deepEqual(await resolveAll(bench.open(), document), {
      good: 'hello',
      bad,
      bytes: bad,
      short: bad,
      n: bad,
    });
    const outcome = await resolveOne(bench.open(), '$VAULT_b?encoding=base64#bad');
    assert.ok(!inspect(outcome, { depth: 9 }).includes('CANARY'));
  });

  it('R-16 sends the namespace with the login and the read', async () => {
    bench.vault.putPolicy('p', { 'secret/data/*': ['read'] });
    const source = bench.open({ namespace: 'team/a', auth: await bench.appRole(['p']) });
    assert.deepEqual(await resolveAll(source, { a: '$VAULT_a#user' }), { a: 'c4n4ry-user-1' });
    assert.deepEqual(
      bench.sent.map(({ headers }) => headers['x-vault-namespace']),
      ['team/a', 'team/a'],
    );
  });

  it('G-07 replaces a reference inside a list, and keeps its siblings', async () => {
    const document = { n: 1, t: true, z: null, l: [['$VAULT_a#user', 2, 'text'], []] };
    const values = await bench.open().resolve(findReferences(document).references);
    const found = [...values].flatMap(([pointer, one]) =>
      'value' in one ? [[pointer, one.value] as const] : [],
    );
    const expected = { n: 1, t: true, z: null, l: [['c4n4ry-user-1', 2, 'text'], []] };
    assert.deepEqual(withValues(document, new Map(found)), expected);
  });

  it('G-10 does not resolve references inside a value', async () => {
    bench.vault.putSecret({ path: 'r' }, { k: '$VAULT_a#user', e: '$ENCabc' });
    const values = { a: '$VAULT_a#user', b: '$ENCabc' };
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_r#k', b: '$VAULT_r#e' }), values);
    assert.equal(bench.sent.length, 1);
  });

  it('G-11 returns every character unchanged', async () => {
    const odd = `$& $1 \n\r\0 \u{1F511} "\\ ${'x'.repeat(65_536)}`;
    bench.vault.putSecret({ path: 'odd' }, { k: odd });
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_odd#k' }), { a: odd });
  });

  it('G-12 reads only own members of a secret', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const document = Object.fromEntries(names.map((name) => [`x${name}`, `$VAULT_a#${name}`]));
    const missing = Object.fromEntries(names.map((name) => [`x${name}`, 'VAULT_FIELD_MISSING']));
    assert.deepEqual(await resolveAll(bench.open(), document), missing);
    bench.vault.putSecret(
      { path: 'a' },
      JSON.parse('{"__proto__":"x","constructor":"x","toString":"x"}') as object as Record<string, unknown>,
    );
    const present = Object.fromEntries(names.map((name) => [`x${name}`, 'x']));
    assert.deepEqual(await resolveAll(bench.open(), document), present);
  });

  it('warns about a value that ends in a line break, without the value', async () => {
    bench.vault.putSecret({ path: 'nl' }, { k: 'CANARY\n' });
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_nl#k' }), { a: 'CANARY\n' });
    assert.deepEqual(
      bench.log
        .filter(({ message }) => message.endsWith('line break'))
        .map(({ level, fields }) => [level, fields]),
      [['warn', { pointer: '/a' }]],
    );
    assert.ok(!JSON.stringify(bench.log).includes('CANARY'));
  });

  it('logs each read with the request ID of the Vault audit log', async () => {
    await resolveAll(bench.open(), { a: '$VAULT_a#user' });
    const line = bench.log.find(({ message }) => message === 'secret read');
    assert.ok(line);
    const { vaultRequestId, ...rest } = line.fields;
    const path = `secret/data/a`;
    assert.deepEqual(rest, { path, version: 1, pointers: ['/a'] });
    assert.match(String(vaultRequestId), /^[0-9a-f-]{36}$/);
  });

  it('fails every reference when no Vault is configured or the settings are refused', async () => {
    const deps = { scheduler: systemScheduler, log: memoryLog().log, env: {}, openHttpClient };
    const secrets = { files: null };
    assert.deepEqual(await resolveAll(openSecrets({ vault: null, secrets }, deps), { a: '$VAULT_a#user' }), {
      a: 'VAULT_NOT_CONFIGURED',
    });
    const insecure = openSecrets(
      { vault: bench.settings(), secrets },
      { ...deps, env: { VAULT_SKIP_VERIFY: 'false' } },
    );
    assert.deepEqual(await resolveAll(insecure, { a: '$VAULT_a#user' }), { a: 'VAULT_INSECURE' });
    assert.deepEqual(bench.sent, []);
  });

  it('returns a problem code for each fault of Vault', async () => {
    const { vault } = bench;
    const source = bench.open();
    const outcome = async (): Promise<unknown> => (await resolveAll(source, { a: '$VAULT_a#user' }))['a'];
    vault.seal();
    assert.equal(await outcome(), 'VAULT_SEALED');
    vault.unseal();
    const codes = {
      412: 'VAULT_UNAVAILABLE',
      429: 'VAULT_RATE_LIMITED',
      473: 'VAULT_UNAVAILABLE',
      502: 'VAULT_UNAVAILABLE',
      405: 'VAULT_BAD_RESPONSE',
    };
    for (const [status, code] of Object.entries(codes)) {
      vault.faults.next({ status: Number(status) });
      assert.equal(await outcome(), code);
    }
    // The end of a reused connection alone is no fault of Vault: the read is sent once more.
    vault.faults.next({ reset: true });
    assert.equal(await outcome(), 'c4n4ry-user-1');
    vault.faults.next({ reset: true, times: 2 });
    assert.equal(await outcome(), 'VAULT_UNAVAILABLE');
  });
});
