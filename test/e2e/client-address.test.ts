import assert from 'node:assert/strict';
import { LINUX } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { cheapHash } from '../support/password-hash.js';
import { proxyHeaderV1, proxyHeaderV2 } from '../support/proxy-header.js';
import { rawPeer, statusesIn } from '../support/raw-http.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';

const PASSWORD = 'pw-8c11-of-eve';
const PEOPLE = `users: [{ username: eve, passwordHash: "${cheapHash(PASSWORD)}", roles: [admin] }], attempts: { perUser: 2, perAddress: 2 }`;
const QUERY = JSON.stringify({
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
});

/** Method and path of a request, and its body. */
type Target = readonly [target: string, body: string];

describeWith(LINUX, 'the address of a client behind a trusted proxy, with two processes', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({
      main: {
        server: 'workers: 2, proxyProtocol: any, trustedProxies: [127.0.0.1]',
        local: PEOPLE,
      },
    });
  });
  after(() => server.close());

  let sent = 0;
  /** Sends a request of a client through the trusted proxy, and returns its answer. */
  const ask = async (client: string, lines: string, [target, body]: Target): Promise<string> => {
    const peer = await rawPeer(Number(new URL(server.url).port));
    sent += 1;
    const create = sent % 2 === 0 ? proxyHeaderV1 : proxyHeaderV2;
    peer.send(create(client));
    peer.send(
      `${target} HTTP/1.1\r\nHost: a\r\n${lines}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return peer.closed();
  };
  const bearer = (): string => `Authorization: Bearer ${server.issueToken('admin')}\r\n`;
  const records = async (requestId: string): Promise<string> =>
    ask('203.0.113.1', bearer(), [`GET /audit?requestId=${requestId}`, '']);

  it('logs and audits calls and management with the address of the client', async () => {
    for (const [requestId, client, target, body] of [
      ['call', '203.0.113.9', 'POST /orchestrator_manager/restQuery/core1', QUERY],
      ['search', '2001:db8::5', 'GET /audit?limit=1', ''],
    ] as const) {
      const lines = `${bearer()}X-Request-Id: ${requestId}\r\nContent-Type: application/json\r\n`;
      assert.deepEqual(statusesIn(await ask(client, lines, [target, body])), [200]);
      const line = new RegExp(`"requestId":"${requestId}".*"clientAddress":"${client}"`);
      await until(() => line.test(server.logLines.join('')));
      assert.ok((await records(requestId)).includes(`"clientAddress":"${client}"`), requestId);
    }
  });

  it('counts wrong passwords for the client, not for the proxy', async () => {
    const logIn = async (client: string, password: string, target: Target): Promise<number> => {
      const credentials = Buffer.from(`eve:${password}`).toString('base64');
      const lines = `Authorization: Basic ${credentials}\r\nContent-Type: application/json\r\n`;
      return statusesIn(await ask(client, lines, target))[0] ?? 0;
    };
    // In a worker, and in the main process.
    const targets: readonly Target[] = [
      ['POST /orchestrator_manager/restQuery/core1', QUERY],
      ['GET /version', ''],
    ];
    for (const target of targets) assert.equal(await logIn('203.0.113.50', 'wrong', target), 401);
    for (const target of targets) assert.equal(await logIn('203.0.113.50', PASSWORD, target), 429);
    for (const target of targets) assert.equal(await logIn('203.0.113.51', PASSWORD, target), 200);
  });
});
