import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { type JwksServer, startJwksServer } from '../support/jwks-server.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { makeIssuer, type TestIssuer } from '../support/tokens.js';
import { eventually } from '../support/until.js';

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

  it('revokes a token that was signed out while the issuer gave no keys, when they arrive (bug: the token stayed valid)', async () => {
    jwks.answer((_, response) => response.writeHead(503).end());
    const cold = await start();
    const issuer = newKey();
    const [bearer, cookie, other] = [issuer.sign({ jti: 'b' }), issuer.sign({ jti: 'c' }), issuer.sign()];
    const forged = `${other.slice(0, other.lastIndexOf('.'))}.${bearer.slice(bearer.lastIndexOf('.') + 1)}`;
    const path = `${cold.url}/console/session`;
    for (const token of [bearer, forged]) {
      const { status, text } = await callUrl(path, { method: 'DELETE', token });
      assert.equal(status, 503);
      assert.match(text, /This server revokes it when they arrive\./);
    }
    const browser = { cookie: `token=${cookie}` };
    const closed = await callUrl(path, { method: 'DELETE', headers: browser });
    assert.equal(closed.status, 503);
    assert.match(String(closed.headers['set-cookie']), /^token=; Path=\/; Max-Age=0/);
    jwks.publish(issuer.jwk);
    const statusWith = async (token: string): Promise<number> =>
      (await callUrl(`${cold.url}/whoami`, { method: 'GET', token })).status;
    await eventually(async () => {
      assert.deepEqual(await Promise.all([bearer, cookie].map(statusWith)), [401, 401]);
    });
    // A forged token revokes nothing.
    assert.equal(await statusWith(other), 200);
    await cold.close();
  });
});
