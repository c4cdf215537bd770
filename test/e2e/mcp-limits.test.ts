import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { postMcp } from '../support/mcp-client.js';
import { rawPeer } from '../support/raw-http.js';
import {
  handshake,
  startStreamOrchestrator,
  type StreamOrchestrator,
} from '../support/stream-orchestrator.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually, until } from '../support/until.js';

const PATH = '/restconf/data/ietf-interfaces:interfaces';
const ROLES = '[admin, counted, listing, single]';
/** The period is a day, so that no test waits for the next permitted call. */
const SETTINGS = `mcp: { enabled: true }
limits:
  calls: { operations: ["orchestrator-manager.*"], roles: [counted], requests: 3, periodSeconds: 86400 }
  messages: { operations: [mcp.exchange], roles: [listing], requests: 3, periodSeconds: 86400 }
  single: { operations: ["orchestrator-manager.*", proxy.passThrough], roles: [single], concurrent: 1 }
access:
  - { adapters: [core1], operations: [orchestrator-manager.restQuery], paths: ["${PATH}"] }
roles:
  orchestrator-manager.restQuery: ${ROLES}
  proxy.passThrough: ${ROLES}
`;

const QUERY = { adapterId: 'core1', params: { path: PATH, accept: 'application/yang-data+json' } };
const toolCall = (name: string, sent: object) => ({
  method: 'tools/call',
  params: { name, arguments: sent },
});

describe('limits and access rules of tool calls, with two processes for calls', () => {
  let orchestrator: StreamOrchestrator;
  let server: TestServer;
  before(async () => {
    orchestrator = await startStreamOrchestrator({});
    server = await startTestServer({
      main: { server: 'workers: 2', more: SETTINGS },
      adapters: {
        stream: `plugin: http-rest\nbaseUrl: ${orchestrator.url}/base\nhealth: { type: none }\n`,
      },
    });
  });
  after(async () => {
    await server.close();
    await orchestrator.close();
  });

  /** A caller of one role, with a count that no other test uses. */
  const caller = (subject: string, role: string) => {
    const token = server.issueTokenFor(subject, role);
    const send = (message: object) =>
      postMcp(server.url, { token, body: { jsonrpc: '2.0', id: 1, ...message } });
    const tool = (sent: object, name = 'restQuery') => send(toolCall(name, sent));
    return {
      token,
      send,
      tool,
      ask: (path = PATH) => tool({ ...QUERY, params: { ...QUERY.params, path } }),
      query: () =>
        callUrl(`${server.url}/orchestrator_manager/restQuery/core1`, {
          token,
          body: { params: QUERY.params },
          headers: { connection: 'close' },
        }),
    };
  };
  const arrived = (): number => server.orchestrator.requests.length;
  const isServed = ({ status, text }: Awaited<ReturnType<typeof postMcp>>): boolean =>
    status === 200 && text.includes('"isError":false');

  it('count them together with calls over HTTP, and refuse them before anything is sent', async () => {
    const { ask, query } = caller('one', 'counted');
    assert.equal((await query()).status, 200);
    const first = await ask();
    assert.ok(isServed(first), first.text);
    assert.match(String(first.headers['ratelimit']), /^"calls";r=1;/);
    assert.ok(isServed(await ask()));
    const before = arrived();
    const refused = await ask();
    assert.equal(refused.status, 200);
    assert.match(refused.text, /"isError":true/);
    assert.match(refused.text, /too_many_requests.*Wait \d+ s, or ask the operator to raise/s);
    assert.match(String(refused.headers['ratelimit']), /^"calls";r=0;/);
    assert.equal((await query()).status, 429);
    assert.equal(arrived(), before);
  });

  it('count a call that an access rule refuses, which reaches no orchestrator', async () => {
    const { ask } = caller('two', 'counted');
    const before = arrived();
    for (const path of ['/restconf/data', `${PATH}#/secret`, `/${PATH}`]) {
      const refused = await ask(path);
      assert.match(refused.text, /adapter_forbidden.*"isError":true/s, path);
    }
    assert.match((await ask()).text, /too_many_requests/);
    assert.equal(arrived(), before);
  });

  it('count all other messages as mcp.exchange', async () => {
    const { send, tool, ask } = caller('three', 'listing');
    assert.equal((await send({ method: 'tools/list' })).status, 200);
    assert.match((await tool({}, 'noSuchTool')).text, /There is no tool/);
    assert.ok(isServed(await ask()));
    assert.equal((await send({ method: 'subscriptions/listen' })).status, 404);
    const refused = await send({ method: 'tools/list' });
    assert.equal(refused.status, 429);
    assert.match(String(refused.headers['retry-after']), /^\d+$/);
    assert.ok(isServed(await ask()));
  });

  it('free the place of a tool call, however the call ends', async () => {
    const { token, ask, tool, query } = caller('five', 'single');
    const refusals = [() => ask('/restconf/data'), () => tool({ adapterId: 'none' }), () => tool({})];
    for (const call of [...refusals, ask])
      // Another process knows that a place is free when this one has returned it.
      await eventually(async () => {
        assert.doesNotMatch((await call()).text, /too_many_requests/);
      });

    server.orchestrator.failNext({ hang: true });
    const before = arrived();
    const leaving = new AbortController();
    let left: Promise<unknown> | undefined;
    await eventually(async () => {
      left = fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...toolCall('restQuery', QUERY) }),
        signal: leaving.signal,
      });
      const isServed = until(() => arrived() > before).then(() => true);
      assert.ok(await Promise.race([isServed, left.then(() => false)]), 'the place is not free yet');
    });
    assert.match((await ask()).text, /too_many_requests.*Wait 1 s/s);
    assert.equal((await query()).status, 429);
    leaving.abort();
    await assert.rejects(left!);
    await until(() =>
      server.logLines.some((line) => line.includes('"five"') && line.includes('"status":499')),
    );
    await eventually(async () => {
      assert.ok(isServed(await ask()));
    });
  });

  it('share one place with a WebSocket, until it closes', async () => {
    const { token, ask } = caller('six', 'single');
    const openWebSocket = async () => {
      let peer: Awaited<ReturnType<typeof rawPeer>> | undefined;
      await eventually(async () => {
        peer = await rawPeer(Number(new URL(server.url).port));
        peer.send(handshake('/proxy/stream/ws', `Authorization: Bearer ${token}\r\n`));
        assert.match(await peer.until(/\r\n\r\n/), /^HTTP\/1\.1 101 /);
      });
      return peer!;
    };
    const peer = await openWebSocket();
    for (let time = 0; time < 2; time += 1) assert.match((await ask()).text, /too_many_requests/);
    peer.end();
    await peer.closed();
    await eventually(async () => {
      assert.ok(isServed(await ask()));
    });
    // Each end frees one place, and no more.
    const second = await openWebSocket();
    assert.match((await ask()).text, /too_many_requests/);
    second.end();
    await second.closed();
  });
});
