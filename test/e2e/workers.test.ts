import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { callUrl, type CallOptions } from '../support/call.js';
import { runCommand } from '../support/command-io.js';
import { isAlive } from '../support/is-alive.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually, until } from '../support/until.js';
import { workerPids } from '../support/worker-pids.js';

const PATH = '/restconf/data/ietf-interfaces:interfaces';
const QUERY = { params: { path: PATH, accept: 'application/yang-data+json' } };
const ACTION = {
  params: {
    method: 'patch',
    path: PATH,
    accept: 'application/yang-data+json',
    contentType: 'application/yang-data+json',
  },
  body: {},
};
/** More connections than workers, so that each worker has several. */
const CALLERS = 6;
/** Pause of a caller between two calls, in milliseconds: a starting worker needs CPU time too. */
const PAUSE_MS = 25;

describe('two workers', function () {
  const { path: folder } = temporaryFolder();
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({
      folder,
      main: { server: 'workers: 2, drainSeconds: 10' },
      arrange(at) {
        const file = join(at, 'gatehouse.yaml');
        const text = readFileSync(file, 'utf8').replace('{ durability: store }', '{ file: data/audit.log }');
        writeFileSync(file, text);
      },
    });
  });
  after(async () => {
    await testServer.close();
    assert.deepEqual(pids().filter(isAlive), []);
  });

  /** Sends a call on a new connection; consecutive calls reach the workers in turn. */
  const call = (path: string, { headers, ...options }: CallOptions = {}) =>
    callUrl(testServer.url + path, { ...options, headers: { ...headers, connection: 'close' } });
  const each = async (path: string, options: CallOptions): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await call(path, options)).status);
    return statuses;
  };
  const query = (token = testServer.issueToken('admin')) =>
    each('/orchestrator_manager/restQuery/core1', { token, body: QUERY });
  const pids = (): readonly number[] => workerPids(testServer);

  it('record the calls of all workers in the traffic', async () => {
    const callsOf = async (): Promise<number> => {
      const { cells } = await testServer.ask<{ readonly cells: readonly { readonly calls: number }[] }>(
        'GET /console/traffic?adapter=core1',
      );
      return cells.reduce((sum, { calls }) => sum + calls, 0);
    };
    const { length } = await query();
    // A worker reports its calls a little later.
    await eventually(async () => {
      assert.equal(await callsOf(), length);
    });
  });

  /**
   * Sends calls on persistent connections until `enough` returns true; returns the status of each call by its
   * id.
   */
  async function load(enough: () => boolean): Promise<ReadonlyMap<string, number>> {
    const agent = new Agent({ connections: CALLERS, pipelining: 1 });
    const statuses = new Map<string, number>();
    const token = testServer.issueToken('admin');
    const url = `${testServer.url}/orchestrator_manager/restAction/core1`;
    const caller = async (): Promise<void> => {
      while (!enough()) {
        const id = randomUUID();
        const headers = {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'x-request-id': id,
        };
        try {
          const reply = await request(url, {
            method: 'POST',
            dispatcher: agent,
            headers,
            body: JSON.stringify(ACTION),
          });
          await reply.body.dump();
          statuses.set(id, reply.statusCode);
        } catch {
          statuses.set(id, 0);
        }
        await setTimeout(PAUSE_MS);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    await agent.close();
    return statuses;
  }

  it('serve every request', async () => {
    const token = testServer.issueToken('admin');
    const get = { method: 'GET', token };
    for (const [path, options, status] of [
      ['/orchestrator_manager/restQuery/core1', { token, body: QUERY }, 200],
      ['/orchestrator_manager/restAction/core1', { token, body: ACTION }, 200],
      ['/whoami', get, 200],
      [`/proxy/core1${PATH}`, get, 200],
      ['/nothing', get, 404],
    ] as const)
      assert.deepEqual(await each(path, options), Array(4).fill(status), path);
  });

  it('apply a change of an adapter before its reply', async () => {
    const token = testServer.issueToken('admin');
    const change = async (what: string): Promise<void> => {
      assert.equal((await call(`/adapters/core1/${what}`, { method: 'PUT', token })).status, 200);
    };
    await change('stop');
    assert.deepEqual(await query(), [503, 503, 503, 503]);
    await change('start');
    assert.deepEqual(await query(), [200, 200, 200, 200]);
  });

  it('are replaced one by one without a lost call', async () => {
    let isOver = false;
    const loading = load(() => isOver);
    const previous = pids();
    await testServer.running.restart();
    isOver = true;
    const statuses = [...(await loading).values()];
    assert.ok(statuses.length > CALLERS);
    assert.deepEqual(
      statuses.filter((status) => status !== 200),
      [],
    );
    assert.equal(pids().length, previous.length + 2);
  });

  it('are replaced when they die, and every answered call has an audit record', async () => {
    const before = pids().length;
    const [victim] = pids().slice(-2);
    let answered = 0;
    const loading = load(() => pids().length > before && answered >= 2);
    process.kill(victim!, 'SIGKILL');
    const watching = setInterval(() => (answered += 1), 1);
    const statuses = await loading;
    clearInterval(watching);
    const lost = [...statuses.values()].filter((status) => status !== 200);
    assert.ok(lost.length <= CALLERS, `${lost.length} calls were lost: more than were on their way`);
    assert.match(testServer.logLines.join(''), /worker died; replacing it/);
    const files = readdirSync(join(folder, 'data')).filter((name) => name.endsWith('audit.log'));
    assert.ok(files.length >= 2, 'each process has a file of its own');
    const recorded = files.map((name) => readFileSync(join(folder, 'data', name), 'utf8')).join('');
    const missing = [...statuses].filter(([id, status]) => status === 200 && !recorded.includes(id));
    assert.deepEqual(missing, []);
    await until(() => !isAlive(victim!));
    const { code, out } = await runCommand(['audit', 'verify', '--config', testServer.configPath]);
    assert.equal(code, 0, out);
  });
});
