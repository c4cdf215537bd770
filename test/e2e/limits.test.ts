import assert from 'node:assert/strict';
import type { CallResult } from '../support/call.js';
import { assertMembers } from '../support/members.js';
import { rawPeer } from '../support/raw-http.js';
import { callsTo } from '../support/server-calls.js';
import {
  handshake,
  startStreamOrchestrator,
  type StreamOrchestrator,
} from '../support/stream-orchestrator.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

const QUERY = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};
/** The period is a day, so that no test waits for the next permitted call. */
const LIMITS = `limits:
  scripts: { operations: ["orchestrator-manager.*"], requests: 3, periodSeconds: 86400 }
  sockets: { operations: [proxy.passThrough], adapters: ["stream*"], concurrent: 2 }
  addresses: { per: address, operations: [login.whoami], requests: 2, periodSeconds: 86400 }
`;

describe('limits of callers, with two processes', () => {
  let orchestrator: StreamOrchestrator;
  let testServer: TestServer;

  before(async () => {
    orchestrator = await startStreamOrchestrator({});
    testServer = await startTestServer({
      adapters: {
        stream: `plugin: http-rest\nbaseUrl: ${orchestrator.url}/base\nhealth: { type: none }\n`,
      },
      main: { server: 'workers: 2, trustedProxies: [127.0.0.1]', more: LIMITS },
    });
  });
  after(async () => {
    await testServer.close();
    await orchestrator.close();
  });

  const { call, ask } = callsTo(() => testServer);
  const tokenOf = (subject: string): string => testServer.issueTokenFor(subject, 'admin');
  /** Sends a query on a new connection; workers receive connections in turn. */
  const query = (subject: string): Promise<CallResult> =>
    call('POST /orchestrator_manager/restQuery/core1', {
      token: tokenOf(subject),
      body: QUERY,
      headers: { connection: 'close' },
    });
  const statusesOf = async (subject: string, count: number): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let time = 0; time < count; time += 1) statuses.push((await query(subject)).status);
    return statuses;
  };
  const port = (): number => Number(new URL(testServer.url).port);

  it('counts the calls of a subject in all processes exactly', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => query('one')));
    assert.equal(replies.filter(({ status }) => status === 200).length, 3);
    assert.equal(replies.filter(({ status }) => status === 429).length, 9);
    assert.equal((await query('two')).status, 200);
  });

  it('shows the limits and who is at them', async () => {
    await statusesOf('eight', 4);
    const { json } = await call('GET /console/limits', { roles: ['viewer'] });
    const names = ['scripts', 'sockets', 'addresses'];
    assertMembers(json, { shared: 'cluster', limits: names.map((name) => ({ name })) });
    const { callers } = json as { callers: readonly { caller: string }[] };
    const eight = callers.find(({ caller }) => caller === 'eight');
    assertMembers(eight, { limit: 'scripts', usedPercent: 100 });
  });

  it('reports the limit in the headers of replies and of refusals', async () => {
    const first = await query('three');
    assert.match(String(first.headers['ratelimit']), /^"scripts";r=2;t=\d+$/);
    assert.equal(first.headers['ratelimit-policy'], '"scripts";q=3;w=86400');
    assert.deepEqual(await statusesOf('three', 2), [200, 200]);
    const refused = await query('three');
    assert.equal(refused.status, 429);
    assertMembers(refused.headers, { ratelimit: /^"scripts";r=0;t=\d+$/, 'retry-after': /^28[78]\d\d$/ });
    assertMembers(refused.json, {
      code: 'too_many_requests',
      detail: /^The limit "scripts" permits 3 calls in 86400 s to each subject; /,
      recommendation: /ask the operator to raise the limit "scripts"/,
    });
    const line = testServer.logLines.find((text) => text.includes('limit scripts')) ?? '';
    assert.match(line, /"code":"too_many_requests"/);
  });

  it('refuses a call before it reads the body', async () => {
    assert.deepEqual(await statusesOf('four', 3), [200, 200, 200]);
    const peer = await rawPeer(port());
    peer.send(
      `POST /orchestrator_manager/restQuery/core1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tokenOf('four')}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    );
    assert.match(await peer.until(/\r\n\r\n/), /^HTTP\/1\.1 429 /);
    peer.end();
  });

  it('counts a WebSocket until it closes', async () => {
    const lines = `Authorization: Bearer ${tokenOf('five')}\r\n`;
    const open = async () => {
      const peer = await rawPeer(port());
      peer.send(handshake('/proxy/stream/ws', lines));
      return { peer, head: await peer.until(/\r\n\r\n/) };
    };
    const first = await open();
    assert.match(first.head, /^HTTP\/1\.1 101 [^]*\r\nratelimit: "sockets-concurrent";r=1\r\n/i);
    const second = await open();
    assert.match(second.head, /^HTTP\/1\.1 101 /);
    assert.match((await open()).head, /^HTTP\/1\.1 429 /);
    first.peer.end();
    await first.peer.closed();
    await eventually(async () => {
      const { head, peer } = await open();
      peer.end();
      assert.match(head, /^HTTP\/1\.1 101 /);
    });
    second.peer.end();
  });

  it('counts addresses behind trusted proxies', async () => {
    const statuses: number[] = [];
    for (const address of ['198.51.100.7', '198.51.100.7', '198.51.100.7', '198.51.100.8']) {
      const headers = { 'x-forwarded-for': address };
      statuses.push((await call('GET /whoami', { token: tokenOf(address), headers })).status);
    }
    assert.deepEqual(statuses, [200, 200, 429, 200]);
  });

  it('applies the limits of the active profile', async () => {
    const limits = { scripts: { operations: ['orchestrator-manager.*'], requests: 1 } };
    await ask('POST /profiles', { properties: { id: 'busy', limits } });
    const faulty = { properties: { id: 'faulty', limits: { x: { burst: 3 } } } };
    assert.match(
      (await call('POST /profiles', { body: faulty })).text,
      /has neither requests nor concurrent/,
    );
    await ask('PUT /profiles/busy/active');
    assert.deepEqual(await statusesOf('six', 2), [200, 429]);
    await ask('POST /profiles', { properties: { id: 'calm' } });
    await ask('PUT /profiles/calm/active');
    assert.deepEqual(await statusesOf('seven', 2), [200, 200]);
  });
});
