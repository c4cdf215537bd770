import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type CallResult, callUrl } from '../support/call.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const LARGE = 'é\u0001'.repeat(200_000);

describe('restCall', () => {
  let testServer: TestServer;
  let target: Listener;

  before(async () => {
    const server = createServer((req, res) => {
      // The server checks its token issuers in the background.
      if (req.url === '/jwks') res.end('{"keys":[]}');
      else res.setHeader('content-type', 'text/plain').end(LARGE);
    });
    target = await listenOnLoopback(server);
    testServer = await startTestServer({ egressAllow: '127.0.0.0/8, ' });
  });
  after(async () => {
    await testServer.close();
    await target.close();
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
    const issuer = `{ issuer: "https://idp.test", audience: gatehouse, algorithms: [RS256], jwksUri: "http://${target.host}/jwks" }`;
    const { configPath } = testServer;
    const before = readFileSync(configPath, 'utf8');
    writeFileSync(configPath, before.replace('\nauth: {', `\nauth: { issuers: [${issuer}],`));
    assert.deepEqual(await testServer.running.reload(), []);
    const denied = await callTarget(`http://${target.host}/large`);
    assert.match(String(detailOf(denied)), /a token issuer of this server/);
    writeFileSync(configPath, before);
    assert.deepEqual(await testServer.running.reload(), []);
    assert.equal((await callTarget(`http://${target.host}/large`)).status, 200);
  });

  it('finding F2: sends a large reply complete, with its headers and status', async () => {
    const { json } = await callTarget(`http://${target.host}/large`);
    const { response, headers, statusCode } = json as {
      readonly response: string;
      readonly headers: Record<string, string>;
      readonly statusCode: number;
    };
    assert.ok(response === LARGE);
    assert.deepEqual([headers['content-type'], statusCode], ['text/plain', 200]);
  });
});
