import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { registerInput } from '../support/input-file.js';
import { searchFor } from '../support/leak-scan-search.js';
import { findCanary } from '../support/secret-canary.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const CHILD = fileURLToPath(new URL('canary-child.js', import.meta.url));
/** Returns a secret whose characters differ in every encoding. */
const canary = (): string => `c4n4ry "pw\\/+&=%~ü ${randomBytes(8).toString('hex')}`;

describe('findCanary', () => {
  const secret = canary();
  const hidden: Readonly<Record<string, string | Buffer>> = {
    raw: secret,
    json: JSON.stringify({ secret }),
    url: encodeURIComponent(secret),
    base64: Buffer.from(secret).toString('base64'),
    'base64 at 1': Buffer.from(`xxxx${secret}yy`).toString('base64'),
    'base64url at 2': Buffer.from(`xx${secret}y`).toString('base64url'),
    hex: Buffer.from(secret).toString('hex'),
    gzip: gzipSync(`before ${secret} after`),
    'gzip of base64': gzipSync(Buffer.from(`x${secret}`).toString('base64')),
  };
  for (const [form, text] of Object.entries(hidden))
    it(`finds a secret in the form ${form}`, () => {
      const bytes = Buffer.concat([Buffer.from('before '), Buffer.from(text), Buffer.from(' after')]);
      assert.notDeepEqual(findCanary(secret, bytes), []);
      assert.deepEqual(findCanary(canary(), bytes), []);
      const among = searchFor([canary(), secret, canary()])(bytes);
      assert.ok(among.length > 0 && among.every((found) => found.secret === 1));
    });
});

describe('searchFor', () => {
  for (let offset = 0; offset < 8; offset += 1)
    it(`finds a short secret at offset ${offset}, at the end and in unaligned bytes`, () => {
      const secret = 'c4n4ry-12345';
      const bytes = Buffer.from(`${' '.repeat(offset)}${secret}`);
      const expected = [{ secret: 0, form: 'raw', at: offset }];
      assert.deepEqual(searchFor([secret])(bytes), expected);
      assert.deepEqual(searchFor([secret])(Buffer.concat([Buffer.from('x'), bytes]).subarray(1)), expected);
    });
});

describe('the output of the process', () => {
  it('X-01 X-02 contains no secret in any form: success, failures, leaky plugins, rotation, reloads, commands', async () => {
    const folder = temporaryFolder().path;
    const secretsFile = join(temporaryFolder().path, 'secrets.json');
    mkdirSync(join(folder, 'work'));
    const passwords = [canary(), canary(), randomBytes(24).toString('hex')];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [CHILD, folder, secretsFile], {
      env: { ...process.env, DEBUG: '*', CANARIES: JSON.stringify(passwords) },
      encoding: 'buffer',
      maxBuffer: 64 * 1024 * 1024,
    });
    registerInput(secretsFile);
    const said = stdout.toString();
    // The search proves something only if all steps have run.
    for (const line of [
      '200 core1 /restconf',
      '400 never /problem',
      '500 never /error',
      '400 never /echo',
      '503 create /any',
      '503 start /any',
      '200 /health/status',
      '200 /readyz',
      'inspect',
      'openapi',
      'exit 78 of check --json',
      'exit 0 of secrets check --show-fields',
      'exit 0 of secrets migrate',
    ])
      assert.ok(
        said.includes(`# ${line}`),
        `${line} is not in\n${said
          .split('\n')
          .filter((one) => one.startsWith('# '))
          .join('\n')}`,
      );
    assert.ok(said.includes('login as u:[redacted] failed'));
    assert.ok(said.includes('uncaught error; continuing'));
    assert.ok(stderr.includes('router'), 'DEBUG was on');

    const kept = filesBelow(folder);
    assert.ok(
      kept.some(({ name }) => name.endsWith('gatehouse.log')) &&
        kept.some(({ name }) => name.includes('.db')),
    );
    const secrets = [...passwords, ...(JSON.parse(readFileSync(secretsFile, 'utf8')) as string[])];
    assert.ok(secrets.length > passwords.length + 2);
    for (const secret of secrets)
      for (const { name, bytes } of [
        { name: 'stdout', bytes: stdout },
        { name: 'stderr', bytes: stderr },
        ...kept,
      ])
        assert.deepEqual(findCanary(secret, bytes), [], `secret ${secrets.indexOf(secret)} in ${name}`);
  });
});

function filesBelow(folder: string): readonly { readonly name: string; readonly bytes: Buffer }[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return (
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      // The signing key is a secret that stays at home.
      .filter((path) => !path.endsWith('local-issuer.pem'))
      .map((name) => ({ name, bytes: readFileSync(name) }))
  );
}
