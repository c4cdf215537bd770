import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { isAlive } from '../support/is-alive.js';
import { scrape } from '../support/scrape.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';

const QUERY = { params: { path: '/restconf/data', accept: 'application/yang-data+json' } };

describe('workers that do not respond', () => {
  it('are replaced, and another worker serves the calls that they have not accepted', async () => {
    const clock = createFakeScheduler(Date.now());
    const testServer = await startTestServer({
      clock,
      main: { server: 'workers: 2' },
    });
    try {
      const token = testServer.issueToken('admin');
      const previous = pidsOf(testServer);
      assert.equal(previous.length, 2);
      for (const pid of previous) process.kill(pid, 'SIGSTOP');
      // Each worker holds one accepted connection and one that is queued after it.
      const headers = { connection: 'close' };
      const url = `${testServer.url}/orchestrator_manager/restQuery/core1`;
      const calls = Array.from({ length: 4 }, () => callUrl(url, { token, headers, body: QUERY }));
      const answers = Promise.allSettled(calls);
      await clock.pass(11_000);
      assert.ok(previous.every(isAlive), 'a worker ended before its replacement served');
      await until(() => pidsOf(testServer).length === 4);
      // The grace period in which a worker may become responsive again.
      await clock.pass(1_000);
      await until(() => !previous.some(isAlive));
      const statuses = (await answers).map((one) => (one.status === 'fulfilled' ? one.value.status : 0));
      assert.deepEqual(statuses, [0, 0, 200, 200]);
      assert.equal((await callUrl(url, { token, headers, body: QUERY })).status, 200);
      // The clock of the server is behind by now, so that it would reject a token of the system's time.
      const { samples } = await scrape({ url: testServer.url, issueToken: () => token });
      assert.equal(samples.get('gatehouse_worker_replacements_total{reason="stuck"}'), 2);
    } finally {
      for (const pid of pidsOf(testServer).filter(isAlive)) process.kill(pid, 'SIGCONT');
      await testServer.close();
    }
  });
});

/** Returns the process IDs of all workers that have served, the oldest first. */
function pidsOf({ logLines }: TestServer): readonly number[] {
  const lines = logLines.join('').split('\n');
  const starts = lines.filter((line) => line.includes('"worker serves"'));
  return starts.map((line) => (JSON.parse(line) as { pid: number }).pid);
}
