import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { collectGarbage } from '../../../src/lib/collect-garbage.js';
import type { StarterRpc } from '../../../src/server/workers/protocol.js';
import { copyLines, startWorker, type WorkerProcess } from '../../../src/server/workers/worker-process.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

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

describe('the connections of a worker', () => {
  it('are not kept in the starter after the worker has received them', async () => {
    const worker = startWorker({} as StarterRpc, { env: process.env, output: new PassThrough() });
    const server = createServer({ pauseOnConnect: true });
    const { port } = await listenOnLoopback(server);
    const sent: WeakRef<Socket>[] = [];
    for (let count = 0; count < 40; count += 1) sent.push(await sendOne(worker, server, port));
    await until(() => {
      collectGarbage('regular');
      return sent.filter((one) => one.deref()).length < 5;
    });
    worker.kill();
    await worker.ended;
    server.close();
  });
});

/** Sends a connection to a worker that has not started, and closes it; resolves when it is closed. */
async function sendOne(
  worker: WorkerProcess,
  server: ReturnType<typeof createServer>,
  port: number,
): Promise<WeakRef<Socket>> {
  const { client, accepted } = await connection(server, port);
  const closed = once(client, 'close');
  client.resume();
  worker.sendSocket(accepted, () => undefined);
  await closed;
  return new WeakRef(accepted);
}

describe('the end of a worker', () => {
  it('does not wait for a process that it started and that holds its output', async () => {
    const { path: folder } = temporaryFolder();
    const plugin = join(folder, 'plugin.cjs');
    writeFileSync(
      plugin,
      `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit', 'ignore'], env: {} });
console.log('started ' + pid);`,
    );
    const output = new PassThrough();
    const worker = startWorker({} as StarterRpc, {
      env: { ...process.env, NODE_OPTIONS: `--require ${plugin}` },
      output,
    });
    await worker.ask('readStats', null);
    worker.kill();
    assert.equal((await worker.ended).signal, 'SIGKILL');
    const started = Number(/^started (\d+)$/m.exec(String(output.read()))?.[1]);
    process.kill(started, 'SIGKILL');
  });

  it('sends no signal if the process could not be started', async () => {
    // In a process group of its own: a signal for process 0 would end the group.
    const program = `process.execPath = '/nonexistent';
import(${JSON.stringify(import.meta.resolve('../../../src/server/workers/worker-process.js'))}).then(({ startWorker }) => {
  const worker = startWorker({}, { env: {}, output: process.stdout });
  worker.kill();
  return worker.ended;
}).then(() => console.log('ended'));`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.equal(await text(child.stdout), 'ended\n');
  });
});

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

describe('copyLines', () => {
  it('writes only whole lines, so that lines of two processes do not mix', async () => {
    const [one, other, out] = [new PassThrough(), new PassThrough(), new PassThrough()];
    copyLines(one, out);
    copyLines(other, out);
    one.write('{"a":');
    other.write('{"b":2}\n{"b"');
    await setImmediate();
    one.write('1}\n');
    await setImmediate();
    other.end(':3}');
    await setImmediate();
    assert.deepEqual(String(out.read()).split('\n'), ['{"b":2}', '{"a":1}', '{"b":3}', '']);
  });

  it('reads no more while the target is full, and goes on when it has room', async () => {
    const [from, out] = [new PassThrough(), new PassThrough({ highWaterMark: 8 })];
    copyLines(from, out);
    for (let line = 0; line < 100; line += 1) from.write(`line ${line} of a worker\n`);
    await setImmediate();
    assert.ok(out.writableLength < 100, `${out.writableLength} bytes wait`);
    let text = '';
    out.on('data', (chunk: Buffer) => (text += String(chunk)));
    from.end();
    await once(from, 'end');
    assert.equal(text.split('\n').length, 101);
  });

  it('goes on after the target has failed', async () => {
    const from = new PassThrough();
    let fail: () => void = () => undefined;
    const out = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        fail = () => {
          done(new Error('the reader has gone'));
        };
      },
    });
    out.on('error', () => undefined);
    copyLines(from, out);
    from.write('a line\n');
    await setImmediate();
    fail();
    from.write('another\n');
    from.end('a last');
    await once(from, 'end');
  });
});
