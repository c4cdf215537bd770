import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { StarterRpc } from '../../../src/server/workers/protocol.js';
import { startWorker, type WorkerProcess } from '../../../src/server/workers/worker-process.js';
import { listenOnLoopback } from '../../support/loopback.js';

describe('the process of a worker', () => {
  // The sabotaged run of `npm run evidence -- restarts` found it: Node.js emits no `disconnect` then.
  it('that is killed before it accepts a connection, rejects what was asked and returns the next connection', async () => {
    const worker = startWorker({} as StarterRpc, { env: process.env, output: new PassThrough() });
    await worker.ask('readStats', null);
    const server = createServer({ pauseOnConnect: true });
    const { port } = await listenOnLoopback(server);
    const [first, second] = [await connection(server, port), await connection(server, port)];
    process.kill(worker.pid, 'SIGSTOP');
    worker.sendSocket(first.accepted, () => undefined);
    const returned = returnOf(worker, second.accepted);
    const asked = assert.rejects(worker.ask('readStats', null), /the other process has ended/);
    process.kill(worker.pid, 'SIGKILL');
    assert.equal(await returned, second.accepted);
    await asked;
    assert.equal(worker.isConnected(), false);
    await assert.rejects(worker.ask('readStats', null), /the other process has ended/);
    for (const { client, accepted } of [first, second]) for (const end of [client, accepted]) end.destroy();
    // It never reports its end, because it waits for a word of the killed process.
    server.close();
  });
});

/** Connects to a server; returns both ends. */
async function connection(
  server: ReturnType<typeof createServer>,
  port: number,
): Promise<{ readonly client: Socket; readonly accepted: Socket }> {
  const accepting = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  const [accepted] = await accepting;
  return { client, accepted };
}

/** Sends a connection to a worker; resolves to the connection that the worker did not receive. */
function returnOf(worker: WorkerProcess, socket: Socket): Promise<Socket> {
  return new Promise((resolve) => {
    worker.sendSocket(socket, resolve);
  });
}
