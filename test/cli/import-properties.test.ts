import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE_ADAPTER } from '../support/catalogue-adapter.js';
import { type CommandResult, runCommand } from '../support/command-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { SECRETS, PROPERTIES } from './import-properties/platform.js';

interface ImportSetup {
  readonly folder: string;
  readonly out: string;
  readonly run: (...args: readonly string[]) => Promise<CommandResult>;
}

function setUp(document: unknown = PROPERTIES): ImportSetup {
  const folder = temporaryFolder().path;
  const file = join(folder, 'properties.json');
  const out = join(folder, 'made');
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  return { folder, out, run: (...args) => runCommand(['import-properties', file, '--out', out, ...args]) };
}

const assertNoSecret = ({ out, err }: CommandResult): void => {
  for (const secret of SECRETS) assert.ok(!(out + err).includes(secret), secret);
};

describe('gatehouse import-properties', () => {
  it('writes a configuration without faults and reports the remaining work', async () => {
    const { out, run } = setUp();
    const result = await run();
    assert.deepEqual([result.code, result.err], [0, '']);
    assertNoSecret(result);
    assert.match(result.out, /^5 adapters$/m);
    assert.match(result.out, /authentication\/password +plaintext +adapters\/nso1#password\n/);
    assert.match(result.out, /^ {2}vault kv put -mount=kv-v2 adapters\/nso1 password=-$/m);
    assert.match(
      result.out,
      /^ {2}\/redisProps: host, port, password \(a secret that is not needed\)\n {4}Tokens /m,
    );
    assert.match(result.out, /no fault found/);
    assert.match(readFileSync(join(out, 'adapters', 'nso1.yaml'), 'utf8'), /^plugin: restconf$/m);
    assert.equal((await runCommand(['check', '--config', join(out, 'gatehouse.yaml')])).code, 0);
  });

  it('prints the same result with --dry-run and writes nothing', async () => {
    const { out, run } = setUp();
    const result = await run('--dry-run');
    assert.equal(result.code, 0);
    assertNoSecret(result);
    assert.match(result.out, /made\/adapters\/nso1\.yaml\n# Created by .*\nplugin: restconf\n/);
    assert.match(result.out, /Nothing was written/);
    assert.ok(!existsSync(out));
  });

  it('overwrites nothing without --force and writes no file at all', async () => {
    const { out, run } = setUp();
    mkdirSync(join(out, 'adapters'), { recursive: true });
    const mine = join(out, 'adapters', 'nso1.yaml');
    writeFileSync(mine, 'mine');
    const refused = await run();
    assert.equal(refused.code, 64);
    assert.match(refused.err, /nso1\.yaml exists already; choose another --out, or overwrite with --force/);
    assert.equal(readFileSync(mine, 'utf8'), 'mine');
    assert.ok(!existsSync(join(out, 'gatehouse.yaml')));
    assert.equal((await run('--force')).code, 0);
    assert.match(readFileSync(mine, 'utf8'), /restconf/);
  });

  const INVENTORY = {
    id: 'inventory',
    model: '@itentialopensource/adapter-inventory',
    properties: {
      host: 'inventory.example',
      port: 443,
      base_path: '/api',
      version: 'v1',
      authentication: { auth_method: 'request_token', username: 'gatehouse', password: 'pl4in-password' },
      healthcheck: { type: 'startup' },
      request: { number_retries: 3, attempt_timeout: 5000 },
    },
  };

  it('keeps installed catalogue adapters unchanged, with their secrets as references', async () => {
    const { folder, out, run } = setUp(INVENTORY);
    mkdirSync(join(folder, 'community'));
    symlinkSync(CATALOGUE_ADAPTER, join(folder, 'community', 'adapter-inventory'));
    const { code, out: said } = await run('--community', join(folder, 'community'));
    const text = readFileSync(join(out, 'adapters', 'inventory.yaml'), 'utf8');
    assert.equal(code, 0, said);
    assert.match(text, /plugin: itential-adapter\n/);
    assert.match(text, /folder: \.\.\/\.\.\/community\/adapter-inventory\n/);
    assert.match(text, /password: \$VAULT_adapters\/inventory#password\n/);
    assert.ok(!(said + text).includes('pl4in-password'));
  });

  for (const place of [
    'node_modules/@itentialopensource/adapter-inventory',
    '@itentialopensource/adapter-inventory',
    'inventory-1.2',
    '.',
  ])
    it(`finds an installed adapter in ${place} (bug: only in a folder with the name of the package)`, async () => {
      const { folder, out, run } = setUp(INVENTORY);
      const home = join(folder, 'community', place);
      mkdirSync(home, { recursive: true });
      for (const name of readdirSync(CATALOGUE_ADAPTER))
        if (name !== 'package.json') symlinkSync(join(CATALOGUE_ADAPTER, name), join(home, name));
      writeFileSync(join(home, 'package.json'), JSON.stringify({ name: INVENTORY.model }));
      const { out: said } = await run('--community', join(folder, 'community'));
      const text = readFileSync(join(out, 'adapters', 'inventory.yaml'), 'utf8');
      assert.match(text, /plugin: itential-adapter\n/);
      assert.match(text, /number_retries: 0\n/);
      assert.match(said, /inventory\.yaml: request\.number_retries is 0 in place of 3/);
    });

  it('reports where it searched for an adapter that is not installed', async () => {
    const { folder, out, run } = setUp(INVENTORY);
    mkdirSync(join(folder, 'community', 'other'), { recursive: true });
    writeFileSync(join(folder, 'community', 'other', 'pronghorn.json'), '{}');
    const { out: said } = await run('--community', join(folder, 'community'));
    assert.match(
      said,
      /"@itentialopensource\/adapter-inventory" is not installed \(searched for pronghorn\.json in .*community, its folders and its node_modules; the adapters there are other\)\. The plugin is http-rest/,
    );
    assert.match(readFileSync(join(out, 'adapters', 'inventory.yaml'), 'utf8'), /plugin: http-rest\n/);
  });

  it('reports the faults of its result with the exit code of the check', async () => {
    const { folder, run } = setUp({ id: 'inventory', model: 'adapter-inventory', properties: { host: 'a' } });
    mkdirSync(join(folder, 'community'));
    symlinkSync(CATALOGUE_ADAPTER, join(folder, 'community', 'adapter-inventory'));
    const { code, out } = await run('--community', join(folder, 'community'));
    assert.equal(code, 78, out);
    assert.match(out, /inventory\.yaml.*\/options\/properties/);
  });

  it('rejects ambiguous or invalid JSON without quoting its contents', async () => {
    for (const [text, said] of [
      ['{"redisProps": {"password": "m0ngo-passw0rd" "x"}}', /properties\.json.*is not well-formed JSON/],
      ['"hvs.platform-token"', /holds no properties, profile or service config \[file\]/],
      ['{"a": "m0ngo-passw0rd", "a": 1}', /properties\.json \/a/],
    ] as const) {
      const { out, run } = setUp(text);
      const result = await run();
      assert.equal(result.code, 78);
      assert.match(result.err, said);
      assertNoSecret(result);
      assert.ok(!existsSync(out));
    }
  });

  it('requires existing files', async () => {
    assert.equal((await runCommand(['import-properties'])).code, 64);
    const { code, err } = await runCommand(['import-properties', '/nowhere/properties.json']);
    assert.equal(code, 78);
    assert.match(err, /^\/nowhere\/properties\.json: does not exist \[file\]\n {4}Check the path/);
  });
});
