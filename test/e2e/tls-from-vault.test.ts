import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { checkConfig } from '../../src/cli/check-config.js';
import { makeCertificate } from '../support/certificates.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/test-server.js';

/** Returns the status of a GET on a connection of its own that trusts only one certificate. */
function statusOf(url: string, ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { ca, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('certificates and keys in Vault', () => {
  let testServer: TestServer | undefined;
  afterEach(async () => {
    await testServer?.close();
    testServer = undefined;
  });

  const open = async (options: Partial<TestServerOptions>) => {
    const folder = temporaryFolder().path;
    testServer = await startTestServer({ folder, ...options });
    return { testServer, folder };
  };
  /** Names the secret `adapters/trust` as the authority of the orchestrator. */
  const trustVault = (folder: string): void => {
    const file = join(folder, 'adapters', 'core1.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('../orchestrator-ca.pem', '$VAULT_adapters/trust#ca'));
  };

  it('serve TLS with a pair that is in no file, again after a rotation, and not if they do not fit', async () => {
    const [first, second] = [
      await makeCertificate({ ip: '127.0.0.1' }),
      await makeCertificate({ ip: '127.0.0.1' }),
    ];
    const { testServer: running, folder } = await open({
      main: { server: 'tls: { certFile: $VAULT_adapters/server#cert, keyFile: $VAULT_adapters/server#key }' },
      secrets: { 'adapters/server': first },
    });
    const checked = await checkConfig({ configPath: join(folder, 'gatehouse.yaml'), env: {}, probe: false });
    assert.deepEqual(checked.faults, []);
    running.vault.putSecret({ path: 'adapters/server' }, { cert: second.cert, key: first.key });
    assert.deepEqual(await running.running.reload(), []);
    assert.match(running.logLines.join(''), /certificate of the listener not replaced/);
    assert.equal(await statusOf(`${running.url}/readyz`, first.cert), 200);
    running.vault.putSecret({ path: 'adapters/server' }, { ...second });
    assert.deepEqual(await running.running.reload(), []);
    assert.equal(await statusOf(`${running.url}/readyz`, second.cert), 200);
    await assert.rejects(statusOf(`${running.url}/readyz`, first.cert));
    assert.doesNotMatch(running.logLines.join(''), /PRIVATE KEY/);
  });

  it('verify an orchestrator, and are not applied if they do not match it', async () => {
    const { testServer: running } = await open({
      arrange(folder, vault) {
        const ca = readFileSync(join(folder, 'orchestrator-ca.pem'), 'utf8');
        vault.putSecret({ path: 'adapters/trust' }, { ca });
        trustVault(folder);
      },
    });
    const query = () => running.query();
    assert.equal((await query()).status, 200);
    const { cert } = await makeCertificate({ dns: 'another' });
    running.vault.putSecret({ path: 'adapters/trust' }, { ca: cert });
    assert.deepEqual(await running.running.reload(), []);
    assert.match(running.logLines.join(''), /adapter not replaced/);
    assert.equal((await query()).status, 200);
  });
});
