import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { callUrl } from '../support/call.js';
import { POSTGRES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const QUERY = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

describeWith(POSTGRES, 'the numbers of traffic in PostgreSQL', function () {
  this.timeout(60_000);
  let url = '';
  const open: TestServer[] = [];

  const opened = openedBySuite();
  before(async () => {
    const server = await opened(startPostgres());
    url = await server.newUrl();
  });
  afterEach(async () => {
    for (const testServer of open.splice(0)) await testServer.close();
  });

  async function start(folder = temporaryFolder().path): Promise<TestServer> {
    const testServer = await startTestServer({
      folder,
      arrange(at) {
        const file = `${at}/gatehouse.yaml`;
        const text = readFileSync(file, 'utf8').replace(/^storage: .*$/m, `storage: { url: "${url}" }`);
        assert.ok(text.includes(url));
        writeFileSync(file, text);
      },
    });
    open.push(testServer);
    return testServer;
  }

  async function callThrough(testServer: TestServer): Promise<void> {
    const target = `${testServer.url}/orchestrator_manager/restQuery/core1`;
    const reply = await callUrl(target, { token: testServer.issueToken('admin'), body: QUERY });
    assert.equal(reply.status, 200, reply.text);
  }

  async function callsAt(testServer: TestServer, span: string): Promise<number> {
    const target = `${testServer.url}/console/traffic?adapter=core1&span=${span}`;
    const reply = await callUrl(target, { method: 'GET', token: testServer.issueToken('admin') });
    const { cells, isComplete } = reply.json as { cells: { calls: number }[]; isComplete: boolean };
    assert.ok(isComplete);
    return cells.reduce((sum, { calls }) => sum + calls, 0);
  }

  it('are kept over a restart, and are those of all nodes', async () => {
    const first = await start();
    await callThrough(first);
    await callThrough(first);
    await first.close();
    open.length = 0;
    const again = await start(dirname(first.configPath));
    const other = await start();
    await callThrough(other);
    for (const span of ['1h', '24h', '7d']) assert.equal(await callsAt(again, span), 2);
    assert.equal(await callsAt(other, '1h'), 3);
  });
});
