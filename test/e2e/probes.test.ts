import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { freePort } from '../support/free-port.js';
import { callsTo } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

interface Adapter {
  readonly name: string;
  readonly connection: string;
  readonly cause: string | null;
}

describe('the connection of an adapter that nobody calls', () => {
  let testServer: TestServer;
  let clock: FakeScheduler;
  let orchestrator: Server;
  let port: number;

  const stopOrchestrator = async (): Promise<void> => {
    orchestrator.close();
    orchestrator.closeAllConnections();
    await once(orchestrator, 'close');
  };
  const { call } = callsTo(() => testServer);
  const edge2 = async (): Promise<Adapter> => {
    const { adapters } = (await call('GET /console/overview')).json as { adapters: readonly Adapter[] };
    const found = adapters.find(({ name }) => name === 'edge2');
    assert.ok(found);
    return found;
  };
  before(async () => {
    clock = createFakeScheduler(Date.now());
    testServer = await startTestServer({ clock });
    port = await freePort();
    orchestrator = createServer((_request, response) => response.end()).listen(port, '127.0.0.1');
    await once(orchestrator, 'listening');
    const file = join(dirname(testServer.configPath), 'adapters', 'edge2.yaml');
    writeFileSync(file, `plugin: http-rest\nbaseUrl: http://127.0.0.1:${port}\n`);
    assert.deepEqual(await testServer.running.reload(), []);
  });
  after(async () => {
    if (orchestrator.listening) await stopOrchestrator();
    await testServer.close();
  });

  it('is tested on request, but not again within two seconds', async () => {
    const test = () => call('POST /console/adapters/edge2/test');
    assert.deepEqual((await test()).json, { ok: true, connection: 'ONLINE', cause: null, fix: null });
    const again = await test();
    assert.deepEqual([again.status, again.headers['retry-after']], [429, '2']);
    await stopOrchestrator();
    await clock.pass(2_000);
    const { ok, connection, cause } = (await test()).json as Record<string, unknown>;
    assert.deepEqual(
      [ok, connection, cause],
      [false, 'OFFLINE', `127.0.0.1:${port} refuses connections on this port`],
    );
    assert.equal((await edge2()).connection, 'OFFLINE');
    assert.equal((await call('POST /console/adapters/nobody/test')).status, 404);
    assert.equal((await call('PUT /adapters/edge2/stop')).status, 200);
    assert.equal((await test()).status, 503);
  });
});
