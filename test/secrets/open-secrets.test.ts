import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { withValues } from '../../src/json/pointer.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { findReferences } from '../../src/secrets/find-references.js';
import { openSecrets } from '../../src/secrets/open-secrets.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { columns } from '../support/columns.js';
import { memoryLog } from '../support/memory-log.js';
import { createBench, failureOf, requests, resolveAll, valueOf, type Bench } from './fixtures.js';

const HOUR_MS = 3_600_000;

describe('the resolution of references', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await createBench();
    bench.vault.putSecret({ path: 'a' }, { user: 'c4n4ry-user-1', password: 'c4n4ry-password-1' });
  });
  afterEach(() => bench.close());

  for (const [title, text, value, path, changes] of [
    ['R-01 reads KV version 1', '$VAULT_x/y#k', 'c4n4ry-v-value', 'kv/x/y', { mount: 'kv', kvVersion: 1 }],
    ['R-02 reads the latest version of KV version 2', '$VAULT_a#user', 'c4n4ry-user-2', 'secret/data/a', {}],
    [
      'R-03 reads a pinned version',
      '$VAULT_a?version=1#user',
      'c4n4ry-user-1',
      'secret/data/a?version=1',
      {},
    ],
    [
      'G-06 resolves the notation $SECRET_ of the platform',
      '$SECRET_a $KEY_user',
      'c4n4ry-user-2',
      'secret/data/a',
      {},
    ],
  ] as const)
    // prettier-ignore
    it(title, async () => {
      bench.vault.putSecret({ mount: 'kv', path: 'x/y' }, { k: 'c4n4ry-v-value' });
      bench.vault.putSecret({ path: 'a' }, { user: 'c4n4ry-user-2' });
      assert.equal(await valueOf(bench.open(changes), text), value);
      assert.deepEqual(requests(bench), [`GET /v1/${path}`]);
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
    await Promise.all(Array.from({ length: 5 }, () => valueOf(source, '$VAULT_a#user')));
    assert.equal(bench.sent.length, 1);
  });

  it('R-04 limits concurrent reads to 8', async () => {
    const paths = Array.from({ length: 100 }, (_, at) => [`p${at}`, `$VAULT_p${at}#x`]);
    await resolveAll(bench.open(), Object.fromEntries(paths) as Record<string, string>);
    assert.equal(bench.sent.length, 100);
    assert.equal(bench.maxConcurrent(), 8);
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
    const source = bench.open();
    for (const version of [1, 2]) {
      const [u, p] = [`c4n4ry-user-${version}`, `c4n4ry-password-${version}`];
      assert.deepEqual(await resolveAll(source, pair), { u, p, v: u });
    }
  });

  for (const [title, reference, code, text] of [
    [
      'R-06 names the path that has no secret',
      '$VAULT_none#x',
      'VAULT_NOT_FOUND',
      /"secret\/data\/none" at 127\.0\.0\.1:\d+ \(status 404\)/,
    ],
    ['R-08 reports that a version was destroyed', '$VAULT_gone#x', 'VAULT_VERSION_DESTROYED', /Version 1/],
    [
      'R-10 names the version that does not exist',
      '$VAULT_a?version=9#user',
      'VAULT_NOT_FOUND',
      /version 9 \|/,
    ],
    ['R-11 explains a path with data/', '$VAULT_data/a#user', 'VAULT_NOT_FOUND', /\| .*Leave "data\/" out/],
  ] as const)
    // prettier-ignore
    it(title, async () => {
      bench.vault.putSecret({ path: 'gone' }, { x: 'c4n4ry-x' });
      bench.vault.destroyVersion({ path: 'gone' }, 1);
      const failure = await failureOf(bench.open(), reference);
      assert.equal(failure.code, code);
      assert.match(failure.text, text);
    });

  it('R-07 reports that a version was deleted, and when', async () => {
    const before = Date.now();
    bench.vault.deleteVersion({ path: 'a' }, 1);
    const { code, text } = await failureOf(bench.open(), '$VAULT_a#user');
    assert.equal(code, 'VAULT_VERSION_DELETED');
    const [, when = ''] = /Version 1 was deleted at (\S+Z): .*\| .*vault kv undelete/.exec(text) ?? [];
    assert.ok(Math.abs(Date.parse(when) - before) < HOUR_MS, text);
  });

  it('R-09 reads the current version when the deletion of the previous version is scheduled', async () => {
    bench.vault.putSecret({ path: 'a' }, { user: 'c4n4ry-user-2' });
    bench.vault.deleteVersion({ path: 'a' }, 2, Date.now() + 3_600_000);
    assert.equal(await valueOf(bench.open(), '$VAULT_a#user'), 'c4n4ry-user-2');
  });

  it('R-11 explains a wrong KV version', async () => {
    const onV1 = bench.open({ kvVersion: 1 });
    bench.vault.putSecret({ mount: 'kv', path: 'data/b' }, { user: 'u' });
    const onV2 = bench.open({ mount: 'kv' });
    for (const [source, text] of [
      [onV1, '$VAULT_a#user'],
      [onV1, '$VAULT_a?version=1#user'],
      [onV2, '$VAULT_b#user'],
    ] as const)
      assert.equal(await valueOf(source, text), 'VAULT_KV_VERSION_MISMATCH', text);
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
    const source = bench.open();
    for (const [field, expected] of [
      ...['o', 'z', 'l', 'big'].map((name) => [name, 'VAULT_FIELD_NOT_SCALAR'] as const),
      ['e', 'VAULT_FIELD_EMPTY'],
      ['n', 8080],
      ['t', false],
      ['none', 'VAULT_FIELD_MISSING'],
      ['/o/in', 'x'],
      ['/o/a~1b', 'y'],
      ['/l/0', 'x'],
    ] as const)
      assert.equal(await valueOf(source, `$VAULT_s#${field}`), expected, field);
  });

  it('R-14 needs no field name when the secret has only one candidate', async () => {
    bench.vault.putSecret({ path: 'one' }, { k: 'c4n4ry-v-value' });
    bench.vault.putSecret({ path: 'value' }, { value: 'c4n4ry-w-value', other: 'x' });
    bench.vault.putSecret({ path: 'slash' }, { '/k': 'c4n4ry-y-value' });
    const document = { a: '$VAULT_one', b: '$VAULT_value', c: '$VAULT_a', d: '$VAULT_slash' };
    const values = Object.values(await resolveAll(bench.open(), document));
    assert.deepEqual(values, ['c4n4ry-v-value', 'c4n4ry-w-value', 'VAULT_FIELD_REQUIRED', 'c4n4ry-y-value']);
  });

  it('R-15 decodes base64 strictly, and does not print the content', async () => {
    const data = { good: 'aGVsbG8=', bad: 'CANARY!!', bytes: '//79', short: 'aGVsbG8', n: 1 };
    bench.vault.putSecret({ path: 'b' }, data);
    const source = bench.open();
    for (const key of Object.keys(data)) {
      const expected = key === 'good' ? 'hello' : 'VAULT_FIELD_ENCODING';
      assert.equal(await valueOf(source, `$VAULT_b?encoding=base64#${key}`), expected, key);
    }
    const outcome = await source.resolve(findReferences(['$VAULT_b?encoding=base64#bad']).references);
    assert.ok(!inspect(outcome, { depth: 9 }).includes('CANARY'));
  });

  it('R-16 sends the namespace with the login and the read', async () => {
    bench.vault.putPolicy('p', { 'secret/data/*': ['read'] });
    const source = bench.open({ namespace: 'team/a', auth: await bench.appRole(['p']) });
    assert.equal(await valueOf(source, '$VAULT_a#user'), 'c4n4ry-user-1');
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
    assert.equal(await valueOf(bench.open(), '$VAULT_odd#k'), odd);
  });

  it('G-12 reads only own members of a secret', async () => {
    const own = JSON.parse('{"__proto__":"x","constructor":"x","toString":"x"}') as Record<string, unknown>;
    bench.vault.putSecret({ path: 'own' }, own);
    const source = bench.open();
    for (const name of ['__proto__', 'constructor', 'toString']) {
      assert.equal(await valueOf(source, `$VAULT_a#${name}`), 'VAULT_FIELD_MISSING');
      assert.equal(await valueOf(source, `$VAULT_own#${name}`), 'x');
    }
  });

  it('warns about a value that ends in a line break, without the value', async () => {
    bench.vault.putSecret({ path: 'nl' }, { k: 'CANARY\n' });
    assert.equal(await valueOf(bench.open(), '$VAULT_nl#k'), 'CANARY\n');
    const warnings = bench.log.filter(({ message }) => message.endsWith('line break'));
    assert.deepEqual(columns(warnings, 'level', 'fields'), [['warn', { pointer: '/it' }]]);
    assert.ok(!JSON.stringify(bench.log).includes('CANARY'));
  });

  it('logs each read with the request ID of the Vault audit log', async () => {
    await valueOf(bench.open(), '$VAULT_a#user');
    const { vaultRequestId, ...rest } =
      bench.log.find(({ message }) => message === 'secret read')?.fields ?? {};
    assert.deepEqual(rest, { path: 'secret/data/a', version: 1, pointers: ['/it'] });
    assert.match(String(vaultRequestId), /^[0-9a-f-]{36}$/);
  });

  it('fails every reference when no Vault is configured or the settings are refused', async () => {
    const deps = { scheduler: systemScheduler, log: memoryLog().log, env: {}, openHttpClient };
    const secrets = { files: null };
    const none = openSecrets({ vault: null, secrets }, deps);
    assert.equal(await valueOf(none, '$VAULT_a#user'), 'VAULT_NOT_CONFIGURED');
    const env = { VAULT_SKIP_VERIFY: 'false' };
    const insecure = openSecrets({ vault: bench.settings(), secrets }, { ...deps, env });
    assert.equal(await valueOf(insecure, '$VAULT_a#user'), 'VAULT_INSECURE');
    assert.deepEqual(bench.sent, []);
  });

  it('returns a problem code for each fault of Vault', async () => {
    const { vault } = bench;
    const source = bench.open();
    const outcome = () => valueOf(source, '$VAULT_a#user');
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
