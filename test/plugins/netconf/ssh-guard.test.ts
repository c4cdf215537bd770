import assert from 'node:assert/strict';
import { Duplex, PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { SshChannel } from '../../../plugins/netconf/ssh-client.js';
import { guardSsh } from '../../../plugins/netconf/ssh-guard.js';
import type { Problem } from '../../../src/core/problem.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const MIB = 1024 * 1024;
const SECOND = 1000;
/** Answer of a server to a keepalive. */
const ANSWER = Buffer.alloc(36);
const PIECES_PER_TURN = 200;

function duplex(): Duplex {
  return new Duplex({
    read: () => undefined,
    write: (_bytes, _encoding, done) => {
      done();
    },
  });
}

/** A guard on a connection whose bytes come from the test, and the failures so far. */
function guarded() {
  const clock = createFakeScheduler();
  const socket = duplex();
  const channel: SshChannel = Object.assign(duplex(), { stderr: new PassThrough() });
  const failures: string[] = [];
  const fail = ({ code, message }: Problem): void => void failures.push(`${code}: ${message}`);
  const guard = guardSsh(socket, fail, clock);
  const onData = guard.watch(channel);
  channel.on('error', fail);
  guard.sock.resume();
  /** Lets this number of pieces arrive, each so much later than the one before. */
  const arrive = async (
    piece: Buffer,
    { count, everyMs = 0, source = socket }: Readonly<{ count: number; everyMs?: number; source?: Duplex }>,
  ): Promise<void> => {
    for (let at = 0; at < count && failures.length === 0; at += 1) {
      clock.set(everyMs);
      source.emit('data', piece);
      // The guard passes the bytes on in turns of the event loop.
      if (at % PIECES_PER_TURN === 0) await setImmediate();
    }
  };
  return { arrive, onData, failures, stderr: channel.stderr as PassThrough };
}

const WITHOUT_DATA = [
  `upstream_too_large: the server sent more than ${4 * MIB} bytes of SSH without data of the session`,
];
const ERROR_OUTPUT = [`upstream_too_large: the server wrote more than ${MIB} bytes of error output`];

describe('the limits of what a server sends by SSH besides a session', () => {
  it('let a session be quiet for months', async () => {
    const { arrive, failures } = guarded();
    await arrive(ANSWER, { count: 200_000, everyMs: 30 * SECOND });
    assert.deepEqual(failures, []);
  });

  it('let a session with a keepalive each second be quiet for days', async () => {
    const { arrive, failures } = guarded();
    await arrive(ANSWER, { count: 200_000, everyMs: SECOND });
    assert.deepEqual(failures, []);
  });

  it('end a session with 4 MiB within a minute, also after a quiet time', async () => {
    for (const quietMs of [0, 365 * 86_400 * SECOND]) {
      const { arrive, failures } = guarded();
      await arrive(ANSWER, { count: 1, everyMs: quietMs });
      await arrive(Buffer.alloc(MIB / 16), { count: 64, everyMs: (60 * SECOND) / 64 });
      assert.deepEqual(failures, WITHOUT_DATA);
    }
  });

  it('count again from data of the session', async () => {
    const { arrive, onData, failures } = guarded();
    for (let round = 0; round < 10; round += 1) {
      await arrive(Buffer.alloc(MIB), { count: 4 });
      onData();
    }
    assert.deepEqual(failures, []);
    await arrive(Buffer.alloc(MIB), { count: 5 });
    assert.deepEqual(failures, WITHOUT_DATA);
  });

  it('let a server write a warning each minute, and end a session with 1 MiB of error output within a minute', async () => {
    const { arrive, failures, stderr } = guarded();
    await arrive(Buffer.alloc(100), { count: 100_000, everyMs: 60 * SECOND, source: stderr });
    assert.deepEqual(failures, []);
    await arrive(Buffer.alloc(MIB / 16), { count: 17, everyMs: SECOND, source: stderr });
    assert.deepEqual(failures, ERROR_OUTPUT);
  });
});
