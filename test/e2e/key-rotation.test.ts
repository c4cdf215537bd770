import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  async function start(): Promise<TestServer> {
    const issuer = `{ issuer: "${jwks.url}", audience: gatehouse, discovery: true, algorithms: [ES256] }`;
    const auth = `auth: { local: { keyFile: data/local-issuer.pem }, issuers: [${issuer}] }`;
    const folder = temporaryFolder().path;
    return startTestServer({
      folder,
      arrange: () => {
        const file = join(folder, 'gatehouse.yaml');
        writeFileSync(file, readFileSync(file, 'utf8').replace(/^auth: .*$/m, auth));
      },
    });
  }

  const newKey = (): TestIssuer => {
    const issuer = makeIssuer({ issuer: jwks.url });
    issuers.push(issuer);
    return issuer;
  };
  const statusOf = async (token: string): Promise<number> =>
    (await callUrl(`${testServer.url}/whoami`, { method: 'GET', token })).status;
  const callWith = async (key: TestIssuer, count: number): Promise<readonly number[]> => {
    const calls = Array.from({ length: count }, () => statusOf(key.sign({ jti: randomUUID() })));
    return (await Promise.all(calls)).filter((status) => status !== 200);
  };

  it('identity review 3: fails no call while others send tokens with invented key ids all the time', async () => {
    const [forger, first] = [newKey(), newKey()];
    jwks.publish(first.jwk);
    assert.deepEqual(await callWith(first, 5), []);
    const noise = { isOn: true, refused: new Map<number, number>() };
    const sendNoise = async (): Promise<void> => {
      while (noise.isOn) {
        const status = await statusOf(forger.sign({}, { kid: randomUUID() }));
        noise.refused.set(status, (noise.refused.get(status) ?? 0) + 1);
      }
    };
    const senders = Array.from({ length: 8 }, sendNoise);
    let old = first;
    for (let rotation = 0; rotation < 3; rotation += 1) {
      const next = newKey();
      jwks.publish(next.jwk, old.jwk);
      assert.deepEqual(await callWith(next, 10), []);
      assert.deepEqual(await callWith(old, 10), []);
      old = next;
    }
    noise.isOn = false;
    await Promise.all(senders);
    assert.deepEqual([...noise.refused.keys()], [401]);
  });

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
