import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { columns } from '../support/columns.js';
import { runCommand } from '../support/command-io.js';
import { writeInput } from '../support/input-file.js';
import { writeMistake } from '../support/mistakes.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVaultDouble, type VaultDouble } from '../support/vault-double.js';

const HEADERS = {
  A: '$VAULT_adapters/nso1#password',
  B: '$VAULT_adapters/nso1#/deep/token',
  C: '$VAULT_adapters/nso1?version=1',
};
const VALUES = ['c4n4ry-one', 'c4n4ry-two', 'c4n4ry-old'];

describe('gatehouse secrets check', () => {
  let vault: VaultDouble;
  let folder: string;

  beforeEach(async () => {
    folder = temporaryFolder().path;
    vault = await createVaultDouble();
    vault.putPolicy('edge', { 'secret/data/*': ['read'], 'secret/subkeys/*': ['read'], 'kv/*': ['read'] });
    vault.putSecret({ path: 'adapters/nso1' }, { password: VALUES[2] });
    vault.putSecret(
      { path: 'adapters/nso1' },
      { password: VALUES[0], deep: { token: VALUES[1] }, user: 'u' },
    );
  });
  afterEach(() => vault.close());

  const check = (...args: readonly string[]): ReturnType<typeof runCommand> => {
    const config = join(folder, 'gatehouse.yaml');
    return runCommand(['secrets', 'check', '--config', config, ...args]);
  };
  const configure = (
    headers: Readonly<Record<string, string>>,
    { mount = 'secret', more = '', address = vault.address } = {},
  ): void => {
    const { roleId, secretId } = vault.createAppRole('edge', { policies: ['edge'] });
    mkdirSync(join(folder, 'adapters'), { recursive: true });
    writeFileSync(join(folder, 'role_id'), roleId);
    writeInput(join(folder, 'secret_id'), secretId);
    writeFileSync(
      join(folder, 'gatehouse.yaml'),
      `vault:
  address: ${address}
  mount: ${mount}
  allowInsecure: true
  auth: { method: approle, mount: approle, roleIdFile: role_id, secretIdFile: secret_id }
${more}`,
    );
    const lines = Object.entries(headers).map(([name, text]) => `    ${name}: ${text}\n`);
    writeFileSync(
      join(folder, 'adapters', 'nso1.yaml'),
      `plugin: http-rest\nbaseUrl: http://127.0.0.1\noptions:\n  headers:\n${lines.join('')}`,
    );
  };
  const paths = (): readonly string[] => vault.log.map(({ path }) => path);

  it('X-05 reads every field name from the subkeys, and sends no request whose response contains a value', async () => {
    configure(HEADERS);
    const { code, out, err } = await check('--show-fields');
    assert.equal(code, 0, out);
    assert.match(err, /^Values that are not checked .* "gatehouse check --probe" reads the values\.\n$/);
    assert.match(
      out,
      /\/options\/headers\/A +\S+nso1\.yaml:5 +secret\/subkeys\/adapters\/nso1 +2 +password: exists, value not checked +deep, password, user\n/,
    );
    assert.match(out, /\/options\/headers\/B .* \/deep\/token: exists/);
    assert.match(out, /\/options\/headers\/C .* 1 +exists, value not checked +password\n/);
    assert.ok(!out.includes('c4n4ry'));
    const asked = paths().filter((path) => path.includes('/secret/') || path.includes('/data/'));
    const subkeys = '/v1/secret/subkeys/adapters/nso1';
    assert.deepEqual(asked.sort(), [subkeys, `${subkeys}?version=1`]);
  });

  it('does not say "ok" for a value that it did not read (bug: ok for an empty value, which a start refuses)', async () => {
    vault.putSecret({ path: 'adapters/nso1' }, { password: '', key: 'no base64' });
    configure({ A: HEADERS.A, B: '$VAULT_adapters/nso1?encoding=base64#key' });
    const { code, out } = await check();
    assert.equal(code, 0);
    assert.match(out, /\/headers\/A .* password: exists, value not checked\n/);
    assert.match(out, /\/headers\/B .* key: exists, value not checked\n/);
    assert.doesNotMatch(out, /\bok\b/);
    const listed = JSON.parse((await check('--json')).out) as { state: string; isValueChecked: boolean }[];
    assert.deepEqual(columns(listed, 'state', 'isValueChecked'), [
      ['ok', false],
      ['ok', false],
    ]);
  });

  it('X-05 exits with 78 for missing secrets and fields', async () => {
    configure({
      A: '$VAULT_adapters/nso1#pasword',
      B: '$VAULT_adapters/nso1#deep',
      C: '$VAULT_nowhere#x',
      D: '$VAULT_adapters/nso1#user',
    });
    const { code, out } = await check();
    assert.equal(code, 78);
    assert.match(out, /\/headers\/A .* pasword: missing\n/);
    assert.match(out, /nso1\.yaml:5:8 \/options\/headers\/A: .*\[VAULT_FIELD_MISSING\]/);
    assert.match(out, /\/headers\/B .* VAULT_FIELD_NOT_SCALAR/);
    assert.match(out, /\[VAULT_NOT_FOUND\]/);
    assert.match(out, /\/headers\/D .* user: exists, value not checked/);
    assert.ok(!out.includes('deep, user'), 'names are for --show-fields');
  });

  it('X-05 exits with 77 when Vault denies access, and prints the missing policy', async () => {
    configure({ A: '$VAULT_adapters/nso1#password' });
    vault.putPolicy('edge', { 'secret/data/*': ['read'] });
    const { code, out } = await check();
    assert.equal(code, 77);
    assert.match(out, /path "secret\/subkeys\/adapters\/nso1" \{ capabilities = \["read"\] \}/);
  });

  it('X-05 exits with 75 when Vault is not reachable', async () => {
    configure({ A: '$VAULT_a#b' }, { more: '  request: { attempts: 1 }\n', address: 'http://127.0.0.1:1' });
    const { code, out } = await check('--json');
    assert.equal(code, 75);
    const [one] = JSON.parse(out) as Record<string, unknown>[];
    assert.equal(one?.['code'], 'VAULT_UNAVAILABLE');
    assert.equal(one['path'], 'secret/a');
  });

  it('reads KV version 1 and prints no value', async () => {
    vault.putSecret({ mount: 'kv', path: 'a' }, { password: VALUES[0], empty: '' });
    configure({ A: '$VAULT_a#password', B: '$VAULT_a#empty' }, { mount: 'kv', more: '  kvVersion: 1\n' });
    const { code, out } = await check('--show-fields');
    assert.equal(code, 78);
    assert.match(out, /\/headers\/A .* kv\/a +- +password: ok +empty, password\n/);
    assert.match(out, /VAULT_FIELD_EMPTY/);
    assert.ok(!out.includes('c4n4ry'));
  });

  it('sends no request without references, and reports references without a Vault', async () => {
    configure({ A: 'plain' });
    assert.match((await check()).out, /no reference to a secret/);
    assert.deepEqual(paths(), []);
    configure({ A: '$VAULT_a#b' });
    writeFileSync(join(folder, 'gatehouse.yaml'), '{}');
    const { code, out, err } = await check();
    assert.equal(code, 78);
    assert.match(out + err, /VAULT_NOT_CONFIGURED/);
  });
});

/** Writes secrets into files, of which "open" is readable by every user, and an adapter. Returns the path of the main file. */
function writeFiles(secrets: Readonly<Record<string, string>>, adapter: string): string {
  const files = Object.entries(secrets).map(([name, text]) => [`secrets/${name}`, text] as const);
  const folder = writeMistake({
    main: 'secrets: { files: { root: secrets } }\n',
    files: {
      ...Object.fromEntries(files),
      'adapters/nso1.yaml': `plugin: http-rest\nbaseUrl: http://127.0.0.1:9\n${adapter}`,
    },
  });
  chmodSync(join(folder, 'secrets', 'open'), 0o644);
  return join(folder, 'gatehouse.yaml');
}

describe('gatehouse check (files with secrets)', () => {
  it('warns of a file that every user may read, also without --probe (bug: it passed)', async () => {
    const config = writeFiles(
      { open: 'c4n4ry-open', closed: 'c4n4ry-closed' },
      'auth: { type: basic, username: $FILE_closed, password: $FILE_open }\n',
    );
    for (const options of [[], ['--probe']]) {
      const { code, err } = await runCommand(['check', '--config', config, ...options]);
      assert.equal(code, 0);
      assert.match(
        err,
        /^warning: \S+nso1\.yaml:3:\d+ \/auth\/password: names the file "open", which is readable by every user \[file_mode\]\n +Remove the permission/,
      );
      assert.doesNotMatch(err, /"closed"|c4n4ry/);
    }
  });
});

describe('gatehouse secrets check (files)', () => {
  it('reads each file, warns of one that every user may read, and prints no value', async () => {
    const config = writeFiles(
      { open: 'c4n4ry-open', 'nso.json': '{"password":"c4n4ry-json"}' },
      `auth: { type: basic, username: $FILE_open, password: "$FILE_nso.json#password" }
options: { headers: { x-key: $FILE_none, x-other: "$FILE_nso.json#none" } }
`,
    );
    const { code, out, err } = await runCommand(['secrets', 'check', '--config', config]);
    assert.equal(code, 78);
    assert.match(out, /auth\/password +\S+ +nso\.json +- +password: ok/);
    assert.match(out, /x-key +\S+ +none +- +FILE_NOT_FOUND/);
    assert.match(out, /x-other +\S+ +nso\.json +- +none: missing/);
    assert.match(out, /FILE_NOT_FOUND.*The file "none" does not exist/s);
    assert.match(err, /warning: open is readable by every user\n +Remove the permission/);
    assert.ok(!`${out}${err}`.includes('c4n4ry'));

    writeFileSync(config, '');
    const unconfigured = await runCommand(['check', '--config', config]);
    assert.equal(unconfigured.code, 78);
    assert.match(`${unconfigured.out}${unconfigured.err}`, /FILE_NOT_CONFIGURED.*secrets\.files\.root/s);
  });
});
