import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from '../support/certificates.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { basicAdapter, runWith, tlsServer, writeConfiguration } from './gatehouse.js';

// vault review F6: what an operator reads when one setting is wrong.
describeWith(OPENBAO, 'vault review F6: the message for one wrong setting, on a real OpenBao', () => {
  let bao: OpenBao;
  let folder: string;
  before(async () => {
    bao = await startOpenBao();
    await bao.ask('POST', 'secret/data/adapters/nso1', { body: { data: { password: 'pw-of-nso1' } } });
    await bao.ask('POST', 'sys/mounts/database', { body: { type: 'database' } });
    const policy = 'path "secret/data/adapters/*" { capabilities = ["read"] }';
    await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy } });
  });
  after(() => bao.close());
  beforeEach(() => {
    folder = temporaryFolder().path;
  });

  interface Wrong {
    readonly address?: string;
    readonly reference?: string;
    readonly token?: string;
    readonly more?: readonly string[];
  }
  /** Returns exit code and output of `check --probe`. */
  const check = async ({
    address = bao.address,
    reference = '$VAULT_adapters/nso1#password',
    token = bao.token,
    more = [],
  }: Wrong): Promise<string> => {
    writeFileSync(join(folder, 'token'), token);
    const path = writeConfiguration({
      folder,
      vault: [`address: ${address}`, 'auth: { method: token, tokenFile: token }', ...more],
      adapters: { nso1: basicAdapter('http://127.0.0.1:9', 'admin', reference) },
    });
    const { code, out } = await runWith(path, 'check', '--probe');
    return `${code} ${out}`;
  };
  const leastToken = async (): Promise<string> => {
    const body = { policies: ['gatehouse'], ttl: '1h' };
    const { auth } = await bao.ask('POST', 'auth/token/create', { body });
    return String(auth['client_token']);
  };

  it('http to a port with TLS', async () => {
    const certificate = await makeCertificate({ ip: '127.0.0.1' });
    const withTls = await startOpenBao({
      scheme: 'https',
      config: (place) => tlsServer(place, certificate),
    });
    try {
      const address = withTls.address.replace('https:', 'http:');
      assert.match(await check({ address }), /Vault expects https.*VAULT_TLS.*Write https:\/\//s);
    } finally {
      await withTls.close();
    }
  });

  for (const kind of ['creds', 'static-creds'])
    it(`a mistyped role of the database engine (${kind})`, async () => {
      const found = await check({
        reference: `$VAULT_/database/${kind}/mistyped#password`,
        more: ['kvVersion: auto'],
      });
      assert.match(found, /^78 .*has no role as named in .*VAULT_NOT_FOUND.*Correct the role/s);
    });

  it('a namespace that does not exist', async () => {
    const found = await check({ more: ['namespace: team7'] });
    assert.match(found, /Correct vault.namespace/);
    assert.doesNotMatch(found, /locked/);
  });

  it('a namespace of the login that does not exist', async () => {
    writeFileSync(join(folder, 'role_id'), 'any');
    const path = writeConfiguration({
      folder,
      vault: [`address: ${bao.address}`, 'auth: { method: approle, roleIdFile: role_id, namespace: team7 }'],
      adapters: { nso1: basicAdapter('http://127.0.0.1:9', 'admin', '$VAULT_adapters/nso1#password') },
    });
    const { code, out } = await runWith(path, 'check', '--probe');
    assert.equal(code, 77);
    assert.match(out, /no namespace as configured.*VAULT_LOGIN_FAILED.*vault.auth.namespace/s);
  });

  it('"data/" in the path of a reference, with the least policy', async () => {
    const found = await check({ reference: '$VAULT_data/adapters/nso1#password', token: await leastToken() });
    assert.match(found, /^77 .*Leave "data\/" out of the path/s);
  });

  it('a path that the policy does not allow', async () => {
    const found = await check({ reference: '$VAULT_other/nso1#password', token: await leastToken() });
    assert.match(found, /^77 .*path "secret\/data\/other\/nso1" \{ capabilities = \["read"\] \}/s);
  });
});
