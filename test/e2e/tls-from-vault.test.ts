import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { checkConfig } from '../../src/cli/check-config.js';
import { callUrl } from '../support/call.js';
import { makeCertificate } from '../support/certificates.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const BODY = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

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

  const open = async (arrange: (folder: string, put: (path: string, data: object) => void) => void) => {
    const folder = temporaryFolder().path;
    testServer = await startTestServer({
      folder,
      arrange: (path, vault) => {
        arrange(path, (at, data) => vault.putSecret({ path: at }, { ...data }));
      },
    });
    return { testServer, folder };
  };

  it('serve TLS with a pair that is in no file', async () => {
    const { key, cert } = await makeCertificate({ ip: '127.0.0.1' });
    const { testServer: running, folder } = await open((path, put) => {
      put('adapters/server', { key, cert });
      const main = join(path, 'gatehouse.yaml');
      const tls = 'tls: { certFile: $VAULT_adapters/server#cert, keyFile: $VAULT_adapters/server#key }';
      writeFileSync(main, readFileSync(main, 'utf8').replace('server: {', `server: { ${tls},`));
    });
    assert.match(running.url, /^https:/);
    assert.equal(await statusOf(`${running.url}/readyz`, cert), 200);
    const checked = await checkConfig({ configPath: join(folder, 'gatehouse.yaml'), env: {}, probe: false });
    assert.deepEqual(checked.faults, []);
  });

  it('are used by the listener after a rotation, and not if they do not fit', async () => {
    const [first, second] = [
      await makeCertificate({ ip: '127.0.0.1' }),
      await makeCertificate({ ip: '127.0.0.1' }),
    ];
    const { testServer: running } = await open((path, put) => {
      put('adapters/server', first);
      const main = join(path, 'gatehouse.yaml');
      const tls = 'tls: { certFile: $VAULT_adapters/server#cert, keyFile: $VAULT_adapters/server#key }';
      writeFileSync(main, readFileSync(main, 'utf8').replace('server: {', `server: { ${tls},`));
    });
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
    const { testServer: running } = await open((path, put) => {
      put('adapters/trust', { ca: readFileSync(join(path, 'orchestrator-ca.pem'), 'utf8') });
      const file = join(path, 'adapters', 'core1.yaml');
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace('../orchestrator-ca.pem', '$VAULT_adapters/trust#ca'),
      );
    });
    const query = () =>
      callUrl(`${running.url}/orchestrator_manager/restQuery/core1`, {
        token: running.issueToken('admin'),
        body: BODY,
      });
    assert.equal((await query()).status, 200);
    const { cert } = await makeCertificate({ dns: 'another' });
    running.vault.putSecret({ path: 'adapters/trust' }, { ca: cert });
    assert.deepEqual(await running.running.reload(), []);
    assert.match(running.logLines.join(''), /adapter not replaced/);
    assert.equal((await query()).status, 200);
  });

  it('are reported by pointer, without their content, if they are invalid', async () => {
    const refused = open((path, put) => {
      put('adapters/trust', { ca: '-----BEGIN CERTIFICATE-----\ncanary-no-certificate\n-----END' });
      const file = join(path, 'adapters', 'core1.yaml');
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace('../orchestrator-ca.pem', '$VAULT_adapters/trust#ca'),
      );
    });
    await assert.rejects(refused, (error: Error) => {
      assert.match(error.message, /\/tls\/caFile: is not a valid certificate in PEM/);
      return !error.message.includes('canary');
    });
  });
});
