import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { systemScheduler } from '../../src/lib/clock.js';
import { startServer } from '../../src/server/workers/starter.js';
import { callUrl } from '../support/call.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { isAlive } from '../support/is-alive.js';
import { scrape } from '../support/scrape.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';
import type { VaultDouble } from '../support/vault-double.js';
import { workerPids } from '../support/worker-pids.js';

const CSRF = { 'x-gatehouse-csrf': '1' };

const QUERY = { params: { path: '/restconf/data', accept: 'application/yang-data+json' } };

describe('workers that start', () => {
  it('leave their changes to others: a sign-out does not wait for a worker that waits for Vault', async () => {
    let vault: VaultDouble | undefined;
    const testServer = await startTestServer({
      main: { server: 'workers: 2' },
      vaultLines: '  boot: { waitSeconds: 600 }\n',
      arrange: (_folder, double) => {
        vault = double;
      },
    });
    try {
      const headers = { ...CSRF, connection: 'close' };
      const token = testServer.issueToken('admin');
      vault?.seal();
      const restarting = testServer.running.restart();
      await until(() => testServer.logLines.join('').includes('waiting for Vault'));
      const options = { method: 'DELETE', token, headers };
      assert.equal((await callUrl(`${testServer.url}/console/session`, options)).status, 200);
      vault?.unseal();
      await restarting;
      for (let call = 0; call < 4; call += 1)
        assert.equal((await callUrl(`${testServer.url}/whoami`, { ...options, method: 'GET' })).status, 401);
    } finally {
      await testServer.close();
    }
  });

  it('report the stop of the server if they replace a worker in its lame duck time', async () => {
    const testServer = await startTestServer({ main: { server: 'workers: 2, lameDuckSeconds: 60' } });
    const skip = new AbortController();
    const stopping = testServer.running.stop({ signal: 'SIGTERM', skip: skip.signal });
    const [victim] = workerPids(testServer);
    process.kill(victim!, 'SIGKILL');
    await until(() => workerPids(testServer).length === 3);
    const headers = { connection: 'close' };
    for (let call = 0; call < 4; call += 1)
      assert.equal((await callUrl(`${testServer.url}/readyz`, { method: 'GET', headers })).status, 503);
    skip.abort();
    await stopping;
    assert.deepEqual(workerPids(testServer).filter(isAlive), []);
    await testServer.close();
  });

  it('end when the start is cancelled, and nothing listens', async () => {
    const { path: folder } = temporaryFolder();
    const configPath = join(folder, 'gatehouse.yaml');
    mkdirSync(join(folder, 'adapters'));
    writeFileSync(
      configPath,
      `server: { listen: "127.0.0.1:0", workers: 3 }
auth: { local: { keyFile: key.pem } }
storage: { url: "sqlite:data/gatehouse.db" }
`,
    );
    const stop = new AbortController();
    let lines = '';
    const logStream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines += chunk.toString();
        if (lines.includes('"worker serves"')) stop.abort();
        done();
      },
    });
    const options = { configPath, env: {}, clock: systemScheduler, logStream };
    await assert.rejects(startServer({ ...options, signal: stop.signal }), /the start was cancelled/);
    assert.ok(stop.signal.aborted);
    assert.doesNotMatch(lines, /serves http/);
    // The signal may fire while the files are read, before any process starts.
    lines = '';
    await assert.rejects(startServer({ ...options, signal: stop.signal }), /the start was cancelled/);
    assert.equal(lines, '');
  });
});

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
