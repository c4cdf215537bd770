import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfigLoader } from '../../../src/server/config-loader.js';
import type { DesiredFiles } from '../../../src/server/state/configuration.js';
import { warnLiterals } from '../../../src/server/state/literal-secrets.js';
import { runCommand } from '../../support/command-io.js';
import { memoryLog } from '../../support/memory-log.js';
import { writeMistake } from '../../support/mistakes.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const MAIN = `storage: { url: "postgres://gatehouse:pl4in-store@db/gatehouse" }
tracing: { headers: { Authorization: pl4in-header, X-Scope: network } }
auth:
  signInSecret: pl4in-sign-in-secret-of-32-characters
`;
const NSO = `plugin: http-rest
baseUrl: http://127.0.0.1:9
auth: { type: basic, username: pl4in-name, password: pl4in-password }
options: { headers: { X-Scope: network, X-Api-Key: pl4in-key } }
`;
const VAULT = `vault:
  address: http://127.0.0.1:8200
  auth: { method: token }
  literals: refuse
`;

const write = (main: string, nso: string): string =>
  join(writeMistake({ main, files: { 'adapters/nso1.yaml': nso } }), 'gatehouse.yaml');

const check = (configPath: string, env = {}) => runCommand(['check', '--config', configPath], { env });

/** Returns file name, line, column and pointer of each secret in plain text that a text reports. */
const reported = (text: string): readonly string[] =>
  [...text.matchAll(/([\w-]+\.yaml:\d+:\d+ \S+): is a secret in plain text \[SECRET_LITERAL\]/g)].map(
    ([, where]) => where ?? '',
  );

describe('secrets in plain text in files', () => {
  it('A08, S02: are warnings of the check, with file, line, column and the reference to write', async () => {
    const { code, out, err } = await check(write(MAIN, NSO));
    assert.equal(code, 0);
    assert.match(out, /no fault found/);
    assert.deepEqual(reported(err), [
      'gatehouse.yaml:1:17 /storage/url',
      'gatehouse.yaml:2:38 /tracing/headers/Authorization',
      'gatehouse.yaml:4:17 /auth/signInSecret',
      'nso1.yaml:3:54 /auth/password',
      'nso1.yaml:4:52 /options/headers/X-Api-Key',
    ]);
    assert.match(err, /Write \$\{NSO1_PASSWORD\} and set the variable/);
    assert.doesNotMatch(err, /\$VAULT_/);
    const files = await check(write(`${MAIN}secrets: { files: { root: s } }\n`, NSO));
    assert.match(files.err, /write \$FILE_adapters\/nso1\/password, or/);
    assert.doesNotMatch(out + err, /pl4in/);
  });

  it('are faults with vault.literals: refuse', async () => {
    const { code, out, err } = await check(write(VAULT + MAIN, NSO));
    assert.equal(code, 78);
    assert.equal(reported(out).length, 5);
    assert.deepEqual(reported(err), []);
    assert.match(out, /write \$VAULT_adapters\/nso1#password .*migrate --from-literals/);
    assert.match(out, /write \$VAULT_gatehouse\/storage#url /);
    assert.doesNotMatch(out + err, /pl4in/);
  });

  it('do not include references, values of the environment, names of users and inserted values', async () => {
    const main = `${VAULT}storage: { url: "postgres://gatehouse:\${DB_PASSWORD}@db/gatehouse" }\n`;
    const nso = `plugin: http-rest
baseUrl: http://127.0.0.1:9
auth:
  type: session
  steps:
    - request:
        method: POST
        path: /login
        basic: { username: gatehouse, password: "\${PASSWORD}" }
        body: { username: gatehouse, password: $VAULT_adapters/nso1#password, duration: "1800" }
      take: { token: { json: /token } }
    - request: { method: GET, path: /, headers: { Authorization: "Bearer {token}" } }
  use: { headers: { Authorization: "Bearer {token}" } }
`;
    const env = { DB_PASSWORD: 'pl4in-store', PASSWORD: 'pl4in-password', VAULT_TOKEN: 'none' };
    const { out, err } = await check(write(main, nso), env);
    assert.deepEqual([reported(out), reported(err)], [[], []]);
    assert.doesNotMatch(out + err, /pl4in/);
  });

  it('include the default of a variable, and a password beside a variable in a URL', async () => {
    const main = `storage: { url: "postgres://\${DB_USER}:pl4in-store@db/gatehouse" }\n`;
    const nso = NSO.replace('pl4in-password', '"${PASSWORD:-pl4in-default}"').replace(/options.*/, '');
    const { err } = await check(write(main, nso), { DB_USER: 'gatehouse' });
    assert.deepEqual(reported(err), ['gatehouse.yaml:1:17 /storage/url', 'nso1.yaml:3:54 /auth/password']);
  });

  it('do not include hashes of passwords, which init writes', async () => {
    const configPath = join(temporaryFolder().path, 'gatehouse.yaml');
    assert.equal((await runCommand(['init', '--config', configPath], { printsSecret: true })).code, 0);
    assert.match(readFileSync(configPath, 'utf8'), /passwordHash: '\$scrypt/);
    const { code, err } = await check(configPath);
    assert.deepEqual([code, err], [0, '']);
  });

  it('stay in the files if their value comes from a variable', async () => {
    const nso = NSO.replace('pl4in-password', '"${PASSWORD}"');
    const { out } = await runCommand(['secrets', 'migrate', '--config', write('', nso), '--from-literals'], {
      env: { PASSWORD: 'pl4in-password' },
    });
    assert.doesNotMatch(out, /\/auth\/password/);
    assert.match(out, /X-Api-Key/);
  });
});

describe('warnLiterals', () => {
  const read = async (configPath: string): Promise<DesiredFiles> =>
    (await (await createConfigLoader({ configPath, env: {} })).read()).desired.files;

  it('logs the locations once, and after a change only those that were added', async () => {
    const configPath = write('', NSO);
    const before = await read(configPath);
    writeFileSync(configPath, MAIN);
    const after = await read(configPath);
    const { log, lines } = memoryLog();
    warnLiterals(before, log);
    warnLiterals(before, log, before);
    warnLiterals(after, log, before);
    assert.deepEqual(
      lines.map(({ level, fields }) => [level, fields['count']]),
      [
        ['warn', 2],
        ['warn', 3],
      ],
    );
    assert.match(JSON.stringify(lines[0]), /nso1\.yaml:3:54 \/auth\/password/);
    assert.doesNotMatch(JSON.stringify(lines), /pl4in/);
  });
});
