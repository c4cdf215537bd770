import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as requestOut } from 'node:http';
import { join } from 'node:path';
import { callUrl, type CallResult } from '../support/call.js';
import { rawPeer } from '../support/raw-http.js';
import { scrape } from '../support/scrape.js';
import {
  handshake,
  startStreamOrchestrator,
  type StreamOrchestrator,
} from '../support/stream-orchestrator.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const QUERY = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};
/** The period is a day, so that no test waits for the next permitted call. */
const LIMITS = `limits:
  scripts: { operations: ["orchestrator-manager.*"], requests: 3, periodSeconds: 86400 }
  sockets: { operations: [proxy.passThrough], adapters: ["stream*"], concurrent: 2 }
  addresses: { per: address, operations: [login.whoami], requests: 2, periodSeconds: 86400 }
`;

for (const workers of [1, 2])
  describe(`limits of callers, with ${workers} processes`, function () {
    this.timeout(60_000);
    const { path: folder } = temporaryFolder();
    const configFile = join(folder, 'gatehouse.yaml');
    let orchestrator: StreamOrchestrator;
    let testServer: TestServer;

    before(async () => {
      orchestrator = await startStreamOrchestrator({});
      testServer = await startTestServer({
        folder,
        arrange(place) {
          const text = readFileSync(configFile, 'utf8').replace(
            'server: {',
            `server: { workers: ${workers},`,
          );
          const server = text.replace(
            `workers: ${workers},`,
            `workers: ${workers}, trustedProxies: [127.0.0.1],`,
          );
          writeFileSync(configFile, server + LIMITS);
          const adapter = `plugin: http-rest\nbaseUrl: ${orchestrator.url}/base\nhealth: { type: none }\n`;
          writeFileSync(join(place, 'adapters', 'stream.yaml'), adapter);
        },
      });
    });
    after(async () => {
      await testServer.close();
      await orchestrator.close();
    });

    /** Sends a query on a new connection; workers receive connections in turn. */
    const query = (subject: string, headers: Readonly<Record<string, string>> = {}): Promise<CallResult> =>
      callUrl(`${testServer.url}/orchestrator_manager/restQuery/core1`, {
        token: testServer.issueTokenFor(subject, 'admin'),
        body: QUERY,
        headers: { ...headers, connection: 'close' },
      });
    const port = (): number => Number(new URL(testServer.url).port);

    it('counts the calls of a subject in all processes exactly', async () => {
      const replies = await Promise.all(Array.from({ length: 12 }, () => query('one')));
      assert.equal(replies.filter(({ status }) => status === 200).length, 3);
      assert.equal(replies.filter(({ status }) => status === 429).length, 9);
      assert.equal((await query('two')).status, 200);
    });

    it('reports the limit in the headers of replies and of refusals', async () => {
      const first = await query('three');
      assert.match(String(first.headers['ratelimit']), /^"scripts";r=2;t=\d+$/);
      assert.equal(first.headers['ratelimit-policy'], '"scripts";q=3;w=86400');
      await query('three');
      await query('three');
      const refused = await query('three');
      assert.equal(refused.status, 429);
      assert.match(String(refused.headers['ratelimit']), /^"scripts";r=0;t=\d+$/);
      assert.match(String(refused.headers['retry-after']), /^28[78]\d\d$/);
      const problem = refused.json as Record<string, string>;
      assert.equal(problem['code'], 'too_many_requests');
      assert.match(
        problem['detail'] ?? '',
        /^The limit "scripts" permits 3 calls in 86400 s to each subject; /,
      );
      assert.match(problem['recommendation'] ?? '', /ask the operator to raise the limit "scripts"/);
      const line = testServer.logLines.find((text) => text.includes('limit scripts')) ?? '';
      assert.match(line, /"code":"too_many_requests"/);
    });

    it('refuses a call before it reads the body', async () => {
      for (let time = 0; time < 3; time += 1) await query('four');
      const refused = await new Promise<number | undefined>((resolve, reject) => {
        const sent = requestOut({
          port: port(),
          host: '127.0.0.1',
          method: 'POST',
          path: '/orchestrator_manager/restQuery/core1',
          agent: false,
          headers: {
            authorization: `Bearer ${testServer.issueTokenFor('four', 'admin')}`,
            'content-type': 'application/json',
            'content-length': '1000',
          },
        });
        sent.on('error', reject).on('response', (reply) => {
          resolve(reply.statusCode);
          sent.destroy();
        });
        sent.flushHeaders();
      });
      assert.equal(refused, 429);
    });

    it('counts a WebSocket until it closes', async () => {
      const lines = `Authorization: Bearer ${testServer.issueTokenFor('five', 'admin')}\r\n`;
      const open = async () => {
        const peer = await rawPeer(port());
        peer.send(handshake('/proxy/stream/ws', lines));
        return { peer, head: await peer.until(/\r\n\r\n/) };
      };
      const first = await open();
      assert.match(first.head, /^HTTP\/1\.1 101 /);
      assert.match(first.head, /ratelimit: "sockets-concurrent";r=1\r\n/i);
      const second = await open();
      assert.match(second.head, /^HTTP\/1\.1 101 /);
      const third = await open();
      assert.match(third.head, /^HTTP\/1\.1 429 /);
      first.peer.end();
      await first.peer.closed();
      await eventually(async () => {
        const { head, peer } = await open();
        peer.end();
        assert.match(head, /^HTTP\/1\.1 101 /);
      });
      second.peer.end();
    });

    it('counts addresses behind trusted proxies, and IPv6 addresses by their network', async () => {
      const whoAmI = async (address: string): Promise<number> => {
        const reply = await callUrl(`${testServer.url}/whoami`, {
          method: 'GET',
          token: testServer.issueTokenFor(address, 'admin'),
          headers: { 'x-forwarded-for': address },
        });
        return reply.status;
      };
      const seen: number[] = [];
      for (const address of ['198.51.100.7', '198.51.100.7', '198.51.100.7', '198.51.100.8'])
        seen.push(await whoAmI(address));
      assert.deepEqual(seen, [200, 200, 429, 200]);
      const network: number[] = [];
      for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::3'])
        network.push(await whoAmI(address));
      assert.deepEqual(network, [200, 200, 429, 200]);
    });

    it('never limits health and metrics by a pattern', async () => {
      const { samples } = await scrape(testServer);
      assert.ok((samples.get('gatehouse_limited_requests_total{limit="scripts",reason="rate"}') ?? 0) >= 9);
      for (let time = 0; time < 5; time += 1)
        assert.equal((await callUrl(`${testServer.url}/livez`, { method: 'GET' })).status, 200);
    });

    it('applies the limits of the active profile', async () => {
      const send = (method: string, path: string, body?: unknown): Promise<CallResult> =>
        callUrl(testServer.url + path, {
          method,
          token: testServer.issueTokenFor('operator', 'admin'),
          ...(body !== undefined && { body }),
        });
      const limits = { scripts: { operations: ['orchestrator-manager.*'], requests: 1 } };
      assert.equal((await send('POST', '/profiles', { properties: { id: 'busy', limits } })).status, 200);
      const faulty = { properties: { id: 'faulty', limits: { x: { burst: 3 } } } };
      assert.match((await send('POST', '/profiles', faulty)).text, /has neither requests nor concurrent/);
      assert.equal((await send('PUT', '/profiles/busy/active')).status, 200);
      assert.deepEqual([(await query('six')).status, (await query('six')).status], [200, 429]);
      assert.equal((await send('POST', '/profiles', { properties: { id: 'calm' } })).status, 200);
      assert.equal((await send('PUT', '/profiles/calm/active')).status, 200);
      assert.deepEqual([(await query('seven')).status, (await query('seven')).status], [200, 200]);
    });

    it('shows the limits and who is at them', async () => {
      for (let time = 0; time < 4; time += 1) await query('eight');
      const { json } = await callUrl(`${testServer.url}/console/limits`, {
        method: 'GET',
        token: testServer.issueTokenFor('operator', 'viewer'),
      });
      const { limits, callers, shared } = json as {
        limits: readonly { name: string; refused: number }[];
        callers: readonly { caller: string; limit: string; usedPercent: number; refused: number }[];
        shared: string;
      };
      assert.equal(shared, 'process');
      assert.deepEqual(
        limits.map(({ name }) => name),
        ['scripts', 'sockets', 'addresses'],
      );
      const eight = callers.find(({ caller }) => caller === 'eight');
      assert.deepEqual([eight?.limit, eight?.usedPercent, eight?.refused], ['scripts', 100, 1]);
    });

    it('keeps the counts of an unchanged limit over a reload, and applies a new limit', async () => {
      for (let time = 0; time < 3; time += 1) await query('nine');
      const text = readFileSync(configFile, 'utf8');
      writeFileSync(
        configFile,
        `${text}  extra: { operations: [orchestrator-manager.restAction], requests: 1 }\n`,
      );
      await testServer.running.reload();
      assert.equal((await query('nine')).status, 429);
      writeFileSync(configFile, text.replace('requests: 3', 'requests: 4'));
      await testServer.running.reload();
      assert.equal((await query('nine')).status, 200);
    });
  });
