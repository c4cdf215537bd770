import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type CallResult, callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('restCall', () => {
  let testServer: TestServer;
  let target: Server;
  let port = 0;
  const folder = temporaryFolder().path;
  const configPath = join(folder, 'gatehouse.yaml');

  before(async () => {
    target = createServer((req, res) => {
      // The server checks its token issuers in the background.
      if (req.url === '/jwks') res.end('{"keys":[]}');
      else res.end('text');
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    port = (target.address() as AddressInfo).port;
    testServer = await startTestServer({
      folder,
      arrange: () => {
        const egress = 'egress: { allow: [127.0.0.0/8] }';
        writeFileSync(configPath, readFileSync(configPath, 'utf8').replace(/^egress: .*$/m, egress));
      },
    });
  });
  after(async () => {
    await testServer.close();
    target.close();
  });

  const callTarget = (uri: string): Promise<CallResult> =>
    callUrl(`${testServer.url}/tools/restCall`, {
      token: testServer.issueToken('engineering'),
      body: { uri, verb: 'GET', responseHeaders: true },
    });
  const detailOf = ({ json }: CallResult): unknown => (json as { detail?: unknown }).detail;

  it('finding F15: does not reach this server or its Vault, though their range is open', async () => {
    for (const [uri, reason] of [
      [`${testServer.url}/readyz`, /it is this server/],
      [`${testServer.vault.address}/v1/sys/health`, /it is Vault/],
    ] as const) {
      const denied = await callTarget(uri);
      assert.equal(denied.status, 403);
      assert.match(String(detailOf(denied)), reason);
    }
  });

  it('finding F15: does not reach an issuer that a reload adds', async () => {
    const issuer = `{ issuer: "https://idp.test", audience: gatehouse, algorithms: [RS256], jwksUri: "http://127.0.0.1:${port}/jwks" }`;
    const before = readFileSync(configPath, 'utf8');
    writeFileSync(configPath, before.replace('\nauth: {', `\nauth: { issuers: [${issuer}],`));
    assert.deepEqual(await testServer.running.reload(), []);
    const denied = await callTarget(`http://127.0.0.1:${port}/text`);
    assert.match(String(detailOf(denied)), /a token issuer of this server/);
    writeFileSync(configPath, before);
    assert.deepEqual(await testServer.running.reload(), []);
    assert.equal((await callTarget(`http://127.0.0.1:${port}/text`)).status, 200);
  });
});
