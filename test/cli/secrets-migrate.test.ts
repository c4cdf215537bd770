import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../support/command-io.js';
import { writeMistake } from '../support/mistakes.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const CIPHER = '96f2b1a7d0c34e5f8899aabbccddeeff';
const MAIN = `# The main file.
server: { listen: "127.0.0.1:0" }   # keep me
storage: { url: "$ENC${CIPHER}0" }
adapters:
  inline:
    plugin: http-rest
    baseUrl: http://127.0.0.1
    auth: { type: bearer, token: '$ENC${CIPHER}1' }
`;
const NSO = `plugin: http-rest
baseUrl: http://127.0.0.1
auth:
  type: basic
  username: admin
  password:   $ENC${CIPHER}2   # of 2019
options:
  headers:
    X-Key: "{code}c2VjcmV0"
    X-Old: $VAULT_adapters/nso1#x-old
    X-Plain: plain-s3cret
`;

const configure = (main = MAIN, nso = NSO): string =>
  writeMistake({ main, files: { 'adapters/nso1.yaml': nso } });

function filesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = entries.map((one) => join(one.parentPath, one.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

const migrate = (folder: string, ...args: readonly string[]) =>
  runCommand(['secrets', 'migrate', '--config', join(folder, 'gatehouse.yaml'), ...args]);

describe('gatehouse secrets migrate', () => {
  for (const args of [[], ['--dry-run']]) {
    it(`X-04 prints the plan and writes nothing (${args.join('') || 'no option'})`, async () => {
      const folder = configure();
      const before = filesOf(folder);
      const { code, out, err } = await migrate(folder, ...args);
      assert.deepEqual([code, err], [0, '']);
      assert.deepEqual(filesOf(folder), before);
      assert.match(out, /nso1\.yaml:6:15 +\/auth\/password +\$ENC +\$VAULT_adapters\/nso1#password\n/);
      assert.match(
        out,
        /nso1\.yaml:9:12 +\/options\/headers\/X-Key +\{code\} +\$VAULT_adapters\/nso1#X-Key\n/,
      );
      assert.match(out, /gatehouse\.yaml:3:17 +\/storage\/url +\$ENC +\$VAULT_gatehouse\/storage#url\n/);
      assert.match(out, /\/adapters\/inline\/auth\/token +\$ENC +\$VAULT_adapters\/inline#token\n/);
      assert.match(
        out,
        /"op": "replace",\n +"path": "\/auth\/password",\n +"value": "\$VAULT_adapters\/nso1#password"/,
      );
      // The path already holds x-old, which a put would drop.
      assert.match(out, /^ {2}vault kv patch -mount=secret adapters\/nso1 password=-$/m);
      assert.match(out, /^ {2}vault kv put -mount=secret adapters\/inline token=-$/m);
      assert.match(out, /Warning: \{code\} is base64/);
      assert.match(out, /Nothing was written/);
      for (const value of [CIPHER, 'c2VjcmV0', 'plain-s3cret', 'secret"'])
        assert.ok(!out.includes(value), value);
    });
  }

  it('X-04 --write changes the files in place, keeps a .bak of mode 0600 and the patch, and is idempotent', async () => {
    const folder = configure();
    chmodSync(join(folder, 'adapters', 'nso1.yaml'), 0o640);
    assert.equal((await migrate(folder, '--write')).code, 0);
    const after = filesOf(folder);
    assert.deepEqual(Object.keys(after), [
      ...['adapters/nso1.yaml', 'adapters/nso1.yaml.bak', 'adapters/nso1.yaml.json-patch', 'gatehouse.yaml'],
      ...['gatehouse.yaml.bak', 'gatehouse.yaml.json-patch'],
    ]);
    const nso = NSO.replace(/\$ENC\w+/, '$VAULT_adapters/nso1#password');
    assert.equal(after['adapters/nso1.yaml'], nso.replace('{code}c2VjcmV0', '$VAULT_adapters/nso1#X-Key'));
    assert.equal(after['adapters/nso1.yaml.bak'], NSO);
    assert.equal(after['gatehouse.yaml.bak'], MAIN);
    assert.ok(
      after['gatehouse.yaml']!.startsWith(
        '# The main file.\nserver: { listen: "127.0.0.1:0" }   # keep me\n',
      ),
    );
    assert.ok(after['gatehouse.yaml']!.includes("token: '$VAULT_adapters/inline#token' }"));
    assert.ok(!JSON.stringify([after['gatehouse.yaml'], after['adapters/nso1.yaml']]).includes('$ENC'));
    assert.deepEqual(JSON.parse(after['gatehouse.yaml.json-patch'] ?? ''), [
      { op: 'replace', path: '/storage/url', value: '$VAULT_gatehouse/storage#url' },
      { op: 'replace', path: '/adapters/inline/auth/token', value: '$VAULT_adapters/inline#token' },
    ]);
    assert.equal(statSync(join(folder, 'adapters', 'nso1.yaml')).mode & 0o777, 0o640);
    for (const name of ['gatehouse.yaml.bak', 'adapters/nso1.yaml.bak'])
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);

    const again = await migrate(folder, '--write');
    assert.deepEqual([again.code, again.out.includes('no value to move')], [0, true]);
    assert.deepEqual(filesOf(folder), after);
    assert.equal(
      (await runCommand(['check', '--config', join(folder, 'gatehouse.yaml')])).out.includes('ENC'),
      false,
    );
  });

  it('overwrites no older backup and follows a symbolic link to the file', async () => {
    const folder = configure();
    const real = temporaryFolder().path;
    writeFileSync(join(real, 'main.yaml'), MAIN);
    writeFileSync(join(folder, 'other.yaml.bak'), 'older');
    symlinkSync(join(real, 'main.yaml'), join(folder, 'other.yaml'));
    assert.equal(
      (await runCommand(['secrets', 'migrate', '--write', '--config', join(folder, 'other.yaml')])).code,
      0,
    );
    assert.equal(readFileSync(join(folder, 'other.yaml.bak'), 'utf8'), 'older');
    assert.equal(readFileSync(join(folder, 'other.yaml.bak.2'), 'utf8'), MAIN);
    assert.ok(readFileSync(join(real, 'main.yaml'), 'utf8').includes('$VAULT_gatehouse/storage#url'));
  });

  it('moves plaintext at secret positions with --from-literals, including plugin options', async () => {
    const folder = configure(undefined, NSO.replace(/\$ENC\w+/, 'op3n-password'));
    const without = await migrate(folder);
    assert.ok(!without.out.includes('/auth/password'));
    const { out } = await migrate(folder, '--from-literals', '--write');
    assert.match(out, /\/auth\/password +plaintext +\$VAULT_adapters\/nso1#password\n/);
    assert.match(out, /X-Plain +plaintext +\$VAULT_adapters\/nso1#X-Plain\n/);
    assert.ok(!out.includes('op3n-password') && !out.includes('plain-s3cret'));
    const text = readFileSync(join(folder, 'adapters', 'nso1.yaml'), 'utf8');
    assert.match(text, /password: {3}\$VAULT_adapters\/nso1#password {3}# of 2019/);
    assert.match(text, /username: admin\n/);
  });

  it('moves a text once that several aliases refer to', async () => {
    const shared = `x: &auth { type: bearer, token: $ENC${CIPHER} }\nadapters: { a: { auth: *auth }, b: { auth: *auth } }\n`;
    const folder = configure(shared, 'plugin: http-rest\nbaseUrl: http://127.0.0.1\n');
    const { out } = await migrate(folder, '--write');
    assert.match(out, /^1 value to move/);
    assert.ok(
      readFileSync(join(folder, 'gatehouse.yaml'), 'utf8').includes('token: $VAULT_gatehouse/x#token }'),
    );
  });

  it('reports values that cannot move and exits with 78', async () => {
    const folder = configure(
      `vault: { address: "https://v:8200", namespace: $ENC${CIPHER}, auth: { method: token } }\nx: { $ENC${CIPHER}: 1 }\n`,
    );
    const { code, out } = await migrate(folder);
    assert.equal(code, 78);
    assert.match(out, /gatehouse\.yaml:1:\d+ \/vault\/namespace: is needed to reach Vault/);
    assert.match(out, /gatehouse\.yaml:2:\d+ \/x: /);
    assert.ok(!out.includes(CIPHER));
  });

  it('changes nothing when a file is invalid, and rejects --write with --dry-run', async () => {
    const folder = configure(undefined, 'plugin: [unclosed\n');
    const before = filesOf(folder);
    const { code, err } = await migrate(folder, '--write');
    assert.equal(code, 78);
    assert.match(err, /nso1\.yaml/);
    assert.deepEqual(filesOf(folder), before);
    assert.equal((await migrate(folder, '--write', '--dry-run')).code, 64);
    assert.equal((await runCommand(['secrets'])).code, 64);
  });
});
