import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { isAlive } from '../support/is-alive.js';
import { scrape } from '../support/scrape.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';
import { logLinesWith, workerPids } from '../support/worker-pids.js';

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
      const previous = workerPids(testServer);
      assert.equal(previous.length, 2);
      for (const pid of previous) process.kill(pid, 'SIGSTOP');
      const answers = statusesOfCalls(testServer, token);
      await clock.pass(11_000);
      assert.ok(previous.every(isAlive), 'a worker ended before its replacement served');
      await until(() => workerPids(testServer).length === 4);
      // The grace period in which a worker may become responsive again.
      await clock.pass(1_000);
      await until(() => !previous.some(isAlive));
      assert.deepEqual(await answers, [0, 0, 200, 200]);
      assert.deepEqual(await statusesOfCalls(testServer, token), [200, 200, 200, 200]);
      // The clock of the server is behind by now, so that it would reject a token of the system's time.
      const { samples } = await scrape({ url: testServer.url, issueToken: () => token });
      assert.equal(samples.get('gatehouse_worker_replacements_total{reason="stuck"}'), 2);
    } finally {
      for (const pid of workerPids(testServer).filter(isAlive)) process.kill(pid, 'SIGCONT');
      await testServer.close();
    }
  });

  it('are replaced after all of them were killed at once, while connections wait for them', async () => {
    const clock = createFakeScheduler(Date.now());
    const testServer = await startTestServer({ clock, main: { server: 'workers: 2' } });
    try {
      const token = testServer.issueToken('admin');
      const previous = workerPids(testServer);
      for (const pid of previous) process.kill(pid, 'SIGSTOP');
      const answers = statusesOfCalls(testServer, token);
      await clock.pass(5_000);
      // A worker that ends before it accepts a connection: Node.js emits no event `disconnect`.
      for (const pid of previous) process.kill(pid, 'SIGKILL');
      await until(() => logLinesWith(testServer, '"worker died; replacing it"').length === 2);
      await clock.pass(1_000);
      assert.deepEqual(await answers, [0, 0, 200, 200]);
      await until(() => workerPids(testServer).length === 4);
    } finally {
      await testServer.close();
    }
  });
});

/** Sends four calls at once: of two workers, each gets one connection, and one more that is queued after it. */
async function statusesOfCalls({ url }: TestServer, token: string): Promise<readonly number[]> {
  const options = { token, headers: { connection: 'close' }, body: QUERY };
  const calls = Array.from({ length: 4 }, () =>
    callUrl(`${url}/orchestrator_manager/restQuery/core1`, options),
  );
  const replies = await Promise.allSettled(calls);
  return replies.map((one) => (one.status === 'fulfilled' ? one.value.status : 0));
}
