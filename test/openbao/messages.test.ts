import assert from 'node:assert/strict';
import { makeCertificate } from '../support/certificates.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { startOpenBao } from '../support/openbao.js';
import { type Bench, checked, openBench, TOKEN_FILE, withHttps } from './bench.js';

// vault review F6: what an operator reads when one setting is wrong.
describeWith(OPENBAO, 'vault review F6: the message for one wrong setting, on a real OpenBao', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
    await bench.bao.ask('POST', 'sys/mounts/database', { body: { type: 'database' } });
  });
  after(() => bench.close());

  const configuration = (reference?: string, token = bench.bao.token, ...more: readonly string[]) =>
    bench.configuration([TOKEN_FILE, ...more], { token }, reference);

  it('http to a port with TLS', async () => {
    const withTls = await startOpenBao(withHttps(await makeCertificate({ ip: '127.0.0.1' })));
    try {
      const address = `address: ${withTls.address.replace('https:', 'http:')}`;
      const config = { ...configuration(), vault: [address, TOKEN_FILE] };
      assert.match(await checked(config), /Vault expects https.*VAULT_TLS.*Write https:\/\//s);
    } finally {
      await withTls.close();
    }
  });

  for (const kind of ['creds', 'static-creds'])
    it(`a mistyped role of the database engine (${kind})`, async () => {
      const reference = `$VAULT_/database/${kind}/mistyped#password`;
      const found = await checked(configuration(reference, undefined, 'kvVersion: auto'));
      assert.match(found, /^78 .*has no role as named in .*VAULT_NOT_FOUND.*Correct the role/s);
    });

  it('a namespace that does not exist', async () => {
    const found = await checked(configuration(undefined, undefined, 'namespace: team7'));
    assert.match(found, /Correct vault.namespace/);
    assert.doesNotMatch(found, /locked/);
  });

  it('a namespace of the login that does not exist', async () => {
    const auth = 'auth: { method: approle, roleIdFile: role_id, namespace: team7 }';
    assert.match(
      await checked(bench.configuration([auth], { role_id: 'any' })),
      /^77 .*no namespace as configured.*VAULT_LOGIN_FAILED.*vault.auth.namespace/s,
    );
  });

  for (const [title, path, expected] of [
    ['"data/" in the path of a reference', 'data/adapters', /^77 .*Leave "data\/" out of the path/s],
    [
      'a path that the policy does not allow',
      'other',
      /^77 .*path "secret\/data\/other\/nso1" \{ capabilities = \["read"\] \}/s,
    ],
  ] as const)
    it(`${title}, with the least policy`, async () => {
      const config = configuration(`$VAULT_${path}/nso1#password`, await bench.createToken());
      assert.match(await checked(config), expected);
    });
});
