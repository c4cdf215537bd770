import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runCommand } from '../support/command-io.js';
import { writeMistake } from '../support/mistakes.js';
import { createVaultDouble, type VaultDouble } from '../support/vault-double.js';

const CIPHER = '4c9d1f00aa17e2b3c4d5e6f708192a3b4c5d6e7f8091a2b3';

describe('a configuration with invalid references', () => {
  let vault: VaultDouble;
  before(async () => {
    vault = await createVaultDouble();
  });
  after(() => vault.close());

  /** Creates two files with three encrypted values, one bad reference and one good reference. */
  const configure = (): string =>
    writeMistake({
      main: `vault: { address: "${vault.address}", auth: { method: token, tokenEnv: ROOT } }
storage: { url: "$ENC${CIPHER}" }
auth: { issuers: [{ issuer: i, audience: a, algorithms: [HS256], secret: $ENC${CIPHER} }] }
`,
      files: {
        'adapters/nso1.yaml': `plugin: http-rest
baseUrl: http://127.0.0.1
auth: { type: basic, username: $VAULT_a/../b#user, password: $ENC${CIPHER} }
options: { headers: { X-Key: $VAULT_a#key } }
`,
      },
    });
  /** Never resolves: the server must fail to start, so no test stops it. */
  const stopped = new Promise<void>(() => undefined);
  const env = () => ({ ROOT: vault.rootToken });

  for (const command of [['check'], ['check', '--probe'], ['serve'], ['secrets', 'check']])
    it(`G-04 ends ${command.join(' ')} with 78 and every position in one report; G-05 prints no part of the ciphertext; G-02 sends no request to Vault`, async () => {
      vault.log.length = 0;
      const config = join(configure(), 'gatehouse.yaml');
      const { code, out, err } = await runCommand([...command, '--config', config], { env: env(), stopped });
      const report = out + err;
      assert.equal(code, 78, report);
      for (const place of ['/storage/url', '/auth/issuers/0/secret', '/auth/password', '/auth/username'])
        assert.ok(report.includes(place), `${place} is not in ${report}`);
      assert.match(report, /VAULT_REF_SYNTAX/);
      for (let at = 0; at + 6 <= CIPHER.length; at += 6)
        assert.ok(!report.includes(CIPHER.slice(at, at + 6)), report);
      assert.deepEqual(vault.log, []);
    });

  for (const value of ['false', '1'])
    it(`T-10 does not start while VAULT_SKIP_VERIFY is "${value}"`, async () => {
      const main = `vault: { address: "${vault.address}", auth: { method: token, tokenEnv: ROOT } }\n`;
      const config = join(writeMistake({ main }), 'gatehouse.yaml');
      const skip = { ...env(), VAULT_SKIP_VERIFY: value };
      const { code, out, err } = await runCommand(['serve', '--config', config], { env: skip, stopped });
      assert.equal(code, 78);
      assert.match(out + err, /VAULT_SKIP_VERIFY/);
    });
});
