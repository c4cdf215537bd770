import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { systemClock } from '../../src/domain/clock.js';
import { openSecrets } from '../../src/secrets/resolve.js';
import { memoryLog } from '../support/memory-log.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { createBench, requests, resolveAll, resolveOne, type Bench } from './fixtures.js';

describe('resolving references', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await createBench();
    bench.vault.putSecret({ path: 'a' }, { user: 'u1', password: 'p1' });
  });
  afterEach(() => bench.close());

  it('R-01 reads KV version 1', async () => {
    bench.vault.putSecret({ mount: 'kv', path: 'x/y' }, { k: 'v' });
    const source = bench.open({ mount: 'kv', kvVersion: 1 });
    assert.deepEqual(await resolveAll(source, { a: '$VAULT_x/y#k' }), { a: 'v' });
    assert.deepEqual(requests(bench.vault), ['GET /v1/kv/x/y']);
  });

  it('R-02 reads the latest version of KV version 2', async () => {
    bench.vault.putSecret({ path: 'a' }, { user: 'u2', password: 'p2' });
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_a#user' }), { a: 'u2' });
  });

  it('R-03 reads a pinned version', async () => {
    bench.vault.putSecret({ path: 'a' }, { user: 'u2' });
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_a?version=1#user' }), { a: 'u1' });
    assert.deepEqual(requests(bench.vault), ['GET /v1/secret/data/a?version=1']);
  });

  it('G-06 reads what the platform calls $SECRET_', async () => {
    assert.deepEqual(await resolveAll(bench.open(), { a: '$SECRET_a $KEY_user' }), { a: 'u1' });
    assert.deepEqual(requests(bench.vault), ['GET /v1/secret/data/a']);
  });

  it('R-04 reads a path once for all its fields, and once per version', async () => {
    const source = bench.open();
    const fields = {
      a: '$VAULT_a#user',
      b: '$VAULT_a#password',
      c: '$SECRET_a $KEY_user',
      d: '$VAULT_/secret/a#user',
    };
    assert.deepEqual(await resolveAll(source, fields), { a: 'u1', b: 'p1', c: 'u1', d: 'u1' });
    assert.equal(bench.vault.log.length, 1);
    await resolveAll(source, { ...fields, e: '$VAULT_a?version=1#user' });
    assert.equal(bench.vault.log.length, 3);
  });

  it('R-04 shares a read among callers', async () => {
    const source = bench.open();
    await Promise.all(Array.from({ length: 5 }, () => resolveAll(source, { a: '$VAULT_a#user' })));
    assert.equal(bench.vault.log.length, 1);
  });

  it('R-04 has at most 8 reads under way', async () => {
    let [underWay, most] = [0, 0];
    const source = openSecrets(bench.settings(), {
      clock: systemClock,
      log: memoryLog().log,
      env: { ROOT_TOKEN: bench.vault.rootToken },
      openHttpClient: (options) => {
        const http = openHttpClient(options);
        return {
          ...http,
          send: async (...sent) => {
            underWay += 1;
            most = Math.max(most, underWay);
            return http.send(...sent).finally(() => (underWay -= 1));
          },
        };
      },
    });
    const paths = Array.from({ length: 40 }, (_, at) => [`p${at}`, `$VAULT_p${at}#x`]);
    await resolveAll(source, Object.fromEntries(paths) as Record<string, string>);
    await source.close();
    assert.equal(bench.vault.log.length, 40);
    assert.equal(most, 8);
  });

  it('R-05 never mixes two versions in a pair', async () => {
    const source = bench.open();
    for (let turn = 2; turn < 6; turn += 1) {
      bench.vault.putSecret({ path: 'a' }, { user: `u${turn}`, password: `p${turn}` });
      const pair = await resolveAll(source, { u: '$VAULT_a#user', p: '$VAULT_a#password' });
      assert.deepEqual(pair, { u: `u${turn}`, p: `p${turn}` });
    }
  });

  it('R-06 says which path has no secret', async () => {
    const outcome = await resolveOne(bench.open(), '$VAULT_none#x');
    assert.ok('code' in outcome);
    assert.equal(outcome.code, 'VAULT_NOT_FOUND');
    assert.match(outcome.message, /"secret\/data\/none" at 127\.0\.0\.1:\d+ \(status 404\)/);
  });

  it('R-07 says that and when a version was deleted', async () => {
    bench.vault.deleteVersion({ path: 'a' }, 1, Date.UTC(2022, 9, 31));
    const outcome = await resolveOne(bench.open(), '$VAULT_a#user');
    assert.ok('code' in outcome);
    assert.equal(outcome.code, 'VAULT_VERSION_DELETED');
    assert.match(outcome.message, /Version 1 was deleted at 2022-10-31T00:00:00\.000Z/);
    assert.match(outcome.fix, /vault kv undelete/);
  });

  it('R-08 says that a version is destroyed', async () => {
    bench.vault.destroyVersion({ path: 'a' }, 1);
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_a#user' }), {
      a: 'VAULT_VERSION_DESTROYED',
    });
  });

  it('R-09 reads a version whose deletion is planned', async () => {
    bench.vault.deleteVersion({ path: 'a' }, 1, Date.now() + 3_600_000);
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_a#user' }), { a: 'u1' });
  });

  it('R-10 names the version that does not exist', async () => {
    const outcome = await resolveOne(bench.open(), '$VAULT_a?version=9#user');
    assert.ok('code' in outcome && outcome.code === 'VAULT_NOT_FOUND');
    assert.match(outcome.message, /version 9$/);
  });

  it('R-11 explains a path with data/ in it, and the wrong KV version either way', async () => {
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

  it('R-13 takes scalars and refuses the rest', async () => {
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

  it('R-14 needs no field where only one can be meant', async () => {
    bench.vault.putSecret({ path: 'one' }, { k: 'v' });
    bench.vault.putSecret({ path: 'value' }, { value: 'w', other: 'x' });
    bench.vault.putSecret({ path: 'slash' }, { '/k': 'y' });
    const document = { a: '$VAULT_one', b: '$VAULT_value', c: '$VAULT_a', d: '$VAULT_slash' };
    const expected = { a: 'v', b: 'w', c: 'VAULT_FIELD_REQUIRED', d: 'y' };
    assert.deepEqual(await resolveAll(bench.open(), document), expected);
  });

  it('R-15 decodes base64 strictly and says nothing of the content', async () => {
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
    bench.vault.mountKv('secret', 2, 'team/a');
    bench.vault.putPolicy('p', { 'secret/data/*': ['read'] }, 'team/a');
    bench.vault.putSecret({ path: 'x', namespace: 'team/a' }, { k: 'v' });
    const source = bench.open({ namespace: 'team/a', auth: await bench.appRole(['p'], 'team/a') });
    assert.deepEqual(await resolveAll(source, { a: '$VAULT_x#k' }), { a: 'v' });
    assert.deepEqual(
      bench.vault.log.map(({ headers }) => headers['x-vault-namespace']),
      ['team/a', 'team/a'],
    );
  });

  it('G-10 does not look at a value for further references', async () => {
    bench.vault.putSecret({ path: 'r' }, { k: '$VAULT_a#user', e: '$ENCabc' });
    const values = { a: '$VAULT_a#user', b: '$ENCabc' };
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_r#k', b: '$VAULT_r#e' }), values);
    assert.equal(bench.vault.log.length, 1);
  });

  it('G-11 delivers every character as it stands', async () => {
    const odd = `$& $1 \n\r\0 \u{1F511} "\\ ${'x'.repeat(65_536)}`;
    bench.vault.putSecret({ path: 'odd' }, { k: odd });
    assert.deepEqual(await resolveAll(bench.open(), { a: '$VAULT_odd#k' }), { a: odd });
  });

  it('G-12 looks at own members only', async () => {
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

  it('warns of a value that ends in a line break, without the value', async () => {
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

  it('logs what was read under the id that the audit log of Vault has', async () => {
    await resolveAll(bench.open(), { a: '$VAULT_a#user' });
    const line = bench.log.find(({ message }) => message === 'secret read');
    assert.ok(line);
    const { vaultRequestId, ...rest } = line.fields;
    assert.deepEqual(rest, { path: 'secret/data/a', version: 1, pointers: ['/a'] });
    assert.match(String(vaultRequestId), /^[0-9a-f-]{36}$/);
  });

  it('fails every reference when no Vault is configured or its settings are refused', async () => {
    const deps = { clock: systemClock, log: memoryLog().log, env: {}, openHttpClient };
    assert.deepEqual(await resolveAll(openSecrets(null, deps), { a: '$VAULT_a#user' }), {
      a: 'VAULT_NOT_CONFIGURED',
    });
    const insecure = openSecrets(bench.settings(), { ...deps, env: { VAULT_SKIP_VERIFY: 'false' } });
    assert.deepEqual(await resolveAll(insecure, { a: '$VAULT_a#user' }), { a: 'VAULT_INSECURE' });
    assert.deepEqual(bench.vault.log, []);
  });

  it('tells what Vault suffers from', async () => {
    const source = bench.open();
    const outcome = async (): Promise<unknown> => (await resolveAll(source, { a: '$VAULT_a#user' }))['a'];
    bench.vault.seal();
    assert.equal(await outcome(), 'VAULT_SEALED');
    bench.vault.unseal();
    bench.vault.world.standby = 'no-active';
    assert.equal(await outcome(), 'VAULT_UNAVAILABLE');
    bench.vault.world.standby = 'forwards';
    assert.equal(await outcome(), 'u1');
    const codes = {
      412: 'VAULT_UNAVAILABLE',
      429: 'VAULT_RATE_LIMITED',
      473: 'VAULT_UNAVAILABLE',
      502: 'VAULT_UNAVAILABLE',
      405: 'VAULT_BAD_RESPONSE',
    };
    for (const [status, code] of Object.entries(codes)) {
      bench.vault.faults.next({ status: Number(status) });
      assert.equal(await outcome(), code);
    }
    bench.vault.faults.next({ reset: true });
    assert.equal(await outcome(), 'VAULT_UNAVAILABLE');
  });
});
