import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { type JwksServer, startJwksServer } from '../support/jwks-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { makeIssuer, type TestIssuer } from '../support/tokens.js';

describe('a key rotation of an issuer', () => {
  let testServer: TestServer;
  let jwks: JwksServer;
  const issuers: TestIssuer[] = [];
  before(async () => {
    jwks = await startJwksServer();
    testServer = await start();
  });
  after(async () => {
    for (const issuer of issuers) issuer.remove();
    await testServer.close();
    await jwks.close();
  });

  /** Starts a server that trusts the issuer. */
  const start = (): Promise<TestServer> =>
    startTestServer({
      folder: temporaryFolder().path,
      main: {
        auth: `issuers: [{ issuer: "${jwks.url}", audience: gatehouse, discovery: true, algorithms: [ES256] }]`,
      },
    });

  const newKey = (): TestIssuer => {
    const issuer = makeIssuer({ issuer: jwks.url });
    issuers.push(issuer);
    return issuer;
  };
  const statusOf = async (token: string): Promise<number> =>
    (await callUrl(`${testServer.url}/whoami`, { method: 'GET', token })).status;

  it('identity review 6: refuses the tokens of a removed key after a reload', async () => {
    const [removed, next] = [newKey(), newKey()];
    jwks.publish(removed.jwk);
    const token = removed.sign();
    assert.equal(await statusOf(token), 200);
    jwks.publish(next.jwk);
    assert.deepEqual(await testServer.running.reload(), []);
    assert.equal(await statusOf(token), 401);
    assert.equal(await statusOf(next.sign()), 200);
  });

  it('identity review 11: answers 503 with Retry-After while the issuer gives no keys', async () => {
    jwks.answer((_, response) => response.writeHead(503).end());
    const cold = await start();
    const { status, headers, json } = await callUrl(`${cold.url}/whoami`, {
      method: 'GET',
      token: newKey().sign(),
    });
    assert.equal(status, 503);
    assert.match(String(headers['retry-after']), /^[1-5]$/);
    assert.equal((json as { code: string }).code, 'issuer_unavailable');
    await cold.close();
  });
});
