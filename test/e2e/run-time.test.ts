import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { ComponentOverrides } from '../../src/core/component.js';
import { openStore } from '../../src/features/open-store.js';
import type { Store } from '../../src/features/store.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { createServer } from '../../src/server/create-server.js';
import { recordOf } from '../support/adapter-runtime.js';
import { callUrl, type CallResult } from '../support/call.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, SECRET, type TestServer } from '../support/test-server.js';

const statusAndCodeOf = ({ status, json }: CallResult): readonly unknown[] => [
  status,
  (json as { code?: unknown } | undefined)?.code,
];

describe('a change at run time', () => {
  let testServer: TestServer;
  let store: Store;
  let folder: string;
  let device: Listener;

  before(async () => {
    folder = temporaryFolder().path;
    device = await listenOnLoopback(createHttpServer((_req, res) => res.end('{"up":true}')));
    const device1 = `plugin: http-rest\nbaseUrl: http://${device.host}\nhealth: { type: none }\n`;
    testServer = await startTestServer({ folder, adapters: { device1 } });
    store = await openStore(`sqlite:${join(folder, 'data', 'gatehouse.db')}`);
  });
  after(async () => {
    await store.close();
    await testServer.close();
    await device.close();
  });

  /** Sends a change and waits until it is applied. */
  const overrides = async (name: string, asked: Partial<ComponentOverrides>): Promise<void> => {
    await store.platform.overrides({ kind: 'adapter', name }, (before) => ({ ...before, ...asked }));
    assert.deepEqual(await testServer.running.reload(), []);
  };
  const call = (path: `/${string}`, body?: unknown) =>
    testServer.call(`${body === undefined ? 'GET' : 'POST'} ${path}`, { body });
  const query = (id: string, path = '/x') => testServer.query(id, { path });
  const passed = () => call('/proxy/device1/x');

  it('that pauses an adapter queues calls on every path, and resumes them', async () => {
    await overrides('device1', { wanted: 'paused' });
    let answered = 0;
    const waiting = [query('device1'), passed()].map(async (one) => {
      const { status } = await one;
      answered += 1;
      return status;
    });
    // A reply in between proves that other requests are served.
    assert.equal((await call('/json-forms/forms')).status, 200);
    assert.equal(answered, 0);
    await overrides('device1', { wanted: 'running' });
    assert.deepEqual(await Promise.all(waiting), [200, 200]);
  });

  it('does not prevent replies to waiting calls when the server stops', async () => {
    const impatient = 'plugin: http-rest\nbaseUrl: http://127.0.0.1:1\nqueue: { waitMs: 100 }\n';
    writeFileSync(join(folder, 'adapters', 'impatient.yaml'), impatient);
    await overrides('impatient', { wanted: 'paused' });
    const waiting = [query('impatient'), call('/proxy/impatient/x')];
    assert.equal((await call('/json-forms/forms')).status, 200);
    await testServer.running.close();
    for (const reply of await Promise.all(waiting))
      assert.deepEqual(statusAndCodeOf(reply), [503, 'adapter_suspended']);
  });

  it('that happens while the server is down applies at the next start', async () => {
    const auth = { type: 'basic', username: 'gatehouse', password: `$VAULT_${SECRET.path}#${SECRET.field}` };
    const own = { baseUrl: testServer.inventoryUrl, auth };
    const { adapters, profiles } = store.platform;
    await adapters.create(recordOf('inventory', own, 'http-rest'));
    await adapters.create(recordOf('left-behind', {}, 'no-such-plugin'));
    await profiles.create({ name: 'night', id: 'c'.repeat(24), document: { log: { level: 'warn' } } });
    assert.ok(await store.platform.activate('night'));
    await store.platform.overrides({ kind: 'adapter', name: 'core1' }, (before) => ({
      ...before,
      wanted: 'refusing',
    }));
    const lines: string[] = [];
    const logStream = new PassThrough().on('data', (chunk: Buffer) => lines.push(chunk.toString()));
    const again = await createServer({
      configPath: testServer.configPath,
      env: {},
      clock: systemScheduler,
      logStream,
    });
    const statusOf = async (id: string): Promise<readonly unknown[]> =>
      statusAndCodeOf(
        await callUrl(`${again.url}/orchestrator_manager/restQuery/${id}`, {
          token: testServer.issueToken('admin'),
          body: { params: { path: '/devices/r1', accept: 'application/json' } },
        }),
      );
    assert.deepEqual(await statusOf('inventory'), [200, undefined]);
    assert.deepEqual(await statusOf('left-behind'), [503, 'adapter_unavailable']);
    assert.deepEqual(await statusOf('core1'), [503, 'adapter_suspended']);
    await again.close();
    // The level of the profile excludes access lines and the lines of the start.
    assert.doesNotMatch(lines.join(''), /restQuery|adapter started/);
  });
});
