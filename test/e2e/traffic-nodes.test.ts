import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { POSTGRES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

async function callThrough(server: TestServer): Promise<void> {
  const reply = await server.query();
  assert.equal(reply.status, 200, reply.text);
}

async function callsAt(server: TestServer, span: string): Promise<number> {
  const { json } = await server.ask('GET', `/console/traffic?adapter=core1&span=${span}`);
  const { cells, isComplete } = json as { cells: { calls: number }[]; isComplete: boolean };
  assert.ok(isComplete);
  return cells.reduce((sum, { calls }) => sum + calls, 0);
}

describeWith(POSTGRES, 'the numbers of traffic in PostgreSQL', function () {
  this.timeout(60_000);
  const opened = openedBySuite();

  it('are kept over a restart, and are those of all nodes', async () => {
    const storageUrl = await (await opened(startPostgres())).newUrl();
    const start = (folder = temporaryFolder().path) => startTestServer({ folder, storageUrl });
    const first = await start();
    await callThrough(first);
    await callThrough(first);
    await first.close();
    const again = await opened(start(dirname(first.configPath)));
    const other = await opened(start());
    await callThrough(other);
    for (const span of ['1h', '24h', '7d']) assert.equal(await callsAt(again, span), 2);
    assert.equal(await callsAt(other, '1h'), 3);
  });
});
