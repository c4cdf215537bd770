import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

describe('a reload', () => {
  // The clock is stopped: the server detects a changed file only in tests that advance the clock.
  const clock = createFakeScheduler(Date.now());
  let testServer: TestServer;
  let folder: string;
  let configuration: string;
  let adapter: string;
  /** Lines of the log when the test began. */
  let logged: number;

  before(async () => {
    folder = temporaryFolder().path;
    testServer = await startTestServer({ folder, clock });
    configuration = readFileSync(testServer.configPath, 'utf8');
    adapter = readFileSync(join(folder, 'adapters', 'core1.yaml'), 'utf8');
  });
  beforeEach(() => {
    logged = testServer.logLines.length;
  });
  afterEach(async () => {
    writeFileSync(testServer.configPath, configuration);
    writeAdapter('core1', adapter);
    rmSync(join(folder, 'adapters', 'inventory.yaml'), { force: true });
    assert.deepEqual(await testServer.running.reload(), []);
  });
  after(() => testServer.close());

  const log = (): string => testServer.logLines.slice(logged).join('');
  const writeAdapter = (id: string, text: string): void => {
    writeFileSync(join(folder, 'adapters', `${id}.yaml`), text);
  };
  const writeInventory = (): void => {
    writeAdapter('inventory', `plugin: http-rest\nbaseUrl: ${testServer.inventoryUrl}\n`);
  };
  const query = (id: string, role = 'admin') => testServer.query(id, { role, path: '/devices/r1' });

  const statusOfConfiguration = async () => {
    const { json } = await testServer.call('GET /health/status');
    return (json as { services: { service: string }[] }).services.find(
      ({ service }) => service === 'configuration',
    );
  };

  it('happens automatically when a file changes, and stops the adapter of a removed file', async () => {
    assert.equal((await query('inventory')).status, 404);
    writeInventory();
    await eventually(async () => {
      await clock.pass(500);
      assert.match(log(), /configuration is live/);
    });
    assert.deepEqual((await query('inventory')).json, { name: 'r1', site: 'berlin' });
    rmSync(join(folder, 'adapters', 'inventory.yaml'));
    assert.deepEqual(await testServer.running.reload(), []);
    assert.equal((await query('inventory')).status, 404);
  });

  it('changes nothing when a document is invalid, returns every fault, and reports it once in the log and in the health status', async () => {
    writeInventory();
    await testServer.running.reload();
    writeAdapter('inventory', 'plugin: http-rests\nbaseUrl: not a url\nauth: { type: magic }\n');
    const faults = await testServer.running.reload();
    assert.deepEqual(
      faults.map(({ line, pointer }) => `${line} ${pointer}`),
      ['2 /baseUrl', '3 /auth/type', '1 /plugin'],
    );
    assert.match(faults.find(({ code }) => code === 'plugin')?.fix ?? '', /http-rest, .*restconf/);
    assert.equal((await query('inventory')).status, 200);
    await testServer.running.reload();
    assert.equal(log().split('configuration refused').length, 2);
    assert.deepEqual(await statusOfConfiguration(), { service: 'configuration', status: 'failed' });
    writeInventory();
    await testServer.running.reload();
    assert.deepEqual(await statusOfConfiguration(), { service: 'configuration', status: 'running' });
  });

  it('applies changed roles to the next call', async () => {
    writeInventory();
    writeFileSync(
      testServer.configPath,
      `storage: { url: "sqlite:data/gatehouse.db" }\nauth: { local: { keyFile: data/local-issuer.pem } }\n` +
        'roles: { orchestrator-manager.restQuery: [engineering] }\n',
    );
    rmSync(join(folder, 'adapters', 'core1.yaml'));
    assert.deepEqual(await testServer.running.reload(), []);
    assert.equal((await query('inventory', 'engineering')).status, 200);
    assert.equal((await query('inventory', 'admin')).status, 403);
  });
});
