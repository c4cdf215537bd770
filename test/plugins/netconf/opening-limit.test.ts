import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { connectSession } from '../../../plugins/netconf/connect.js';
import type { NetconfOptions } from '../../../plugins/netconf/options.js';
import { ReaderThreads } from '../../../plugins/netconf/reader-threads.js';
import type { Session } from '../../../plugins/netconf/session.js';
import { Problem } from '../../../src/core/problem.js';
import { createPluginConnect } from '../../../src/upstream/plugin-connect.js';
import { makeCertificate } from '../../support/certificates.js';
import { createFakeScheduler, type FakeScheduler } from '../../support/fake-scheduler.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { createNetconfDouble, type NetconfDoubleOptions } from '../../support/netconf-double.js';
import { openedByTest } from '../../support/opened.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { optionsWith } from './adapter.js';
import { CAPABILITIES, optionsForDouble, outcomeOf } from './double-adapter.js';

const CONNECT_MS = 4000;
/** Time for which the client waits after its hello. */
const HELLO_PAUSE_MS = 50;

/** Header of a TLS handshake record of 16 KiB, and of the ServerHello in it. */
const SERVER_HELLO = Buffer.from([0x16, 3, 3, 0x3f, 0xff, 2, 0, 0x3f, 0xfb]);

describe('the time limit of opening a NETCONF session', () => {
  const opened = openedByTest();
  const folder = temporaryFolder().path;
  const threads = new ReaderThreads();
  let scheduler: FakeScheduler;
  let tls: Readonly<Record<string, unknown>>;

  before(async () => {
    const { cert, key } = await makeCertificate({ ip: '127.0.0.1' });
    const file = join(folder, 'cert.pem');
    writeFileSync(file, cert);
    tls = { caFile: file, certFile: file, key };
  });
  after(() => threads.close());
  beforeEach(() => {
    scheduler = createFakeScheduler();
  });

  function connect(options: NetconfOptions, signal = new AbortController().signal): Promise<Session> {
    const context = { name: 'r1', connect: createPluginConnect({ scheduler }), threads, scheduler };
    return connectSession(options, context, signal);
  }

  /** Starts a TCP server that answers nothing. Its sockets are those of the connections so far. */
  async function listen() {
    const sockets: Socket[] = [];
    const server: Server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined).resume());
    });
    const { port } = await opened(listenOnLoopback(server));
    return { port, sockets };
  }

  const overTls = (port: number) => optionsWith({ host: '127.0.0.1', port, tls, connectMs: CONNECT_MS });

  async function openDouble(options: NetconfDoubleOptions = {}) {
    const double = await opened(createNetconfDouble({ capabilities: CAPABILITIES, ...options }));
    return { double, options: optionsForDouble(double, { connectMs: CONNECT_MS }) };
  }

  /** Requires that an attempt is open for one millisecond more, and then fails with this message. */
  async function expectEnd(opening: Promise<unknown>, afterMs: number, expected: string): Promise<void> {
    let isOver = false;
    const outcome = outcomeOf(opening).finally(() => {
      isOver = true;
    });
    await scheduler.pass(afterMs - 1);
    assert.equal(isOver, false);
    await scheduler.pass(1);
    assert.equal(isOver, true);
    assert.equal(await outcome, `upstream_timeout: no ${expected} within ${CONNECT_MS} ms`);
    assert.equal(scheduler.next(), undefined);
  }

  const fingerprint = `SHA256:${'A'.repeat(43)}`;
  const overSsh = (port: number) => optionsForDouble({ port, fingerprint }, { connectMs: CONNECT_MS });
  for (const [protocol, optionsOf] of [
    ['TLS', overTls],
    ['SSH', overSsh],
  ] as const)
    it(`ends a connection by ${protocol} to a server that sends nothing`, async () => {
      const { port, sockets } = await listen();
      const opening = connect(optionsOf(port));
      await until(() => (sockets[0]?.bytesRead ?? 0) > 0);
      await expectEnd(opening, CONNECT_MS, `${protocol} connection to 127.0.0.1:${port}`);
      await until(() => sockets[0]?.destroyed === true);
    });

  it('ends a TLS handshake with a server that sends a byte from time to time', async () => {
    const { port, sockets } = await listen();
    const opening = connect(overTls(port));
    await until(() => sockets.length > 0);
    const [socket] = sockets;
    socket?.write(SERVER_HELLO);
    for (let passed = 0; passed < CONNECT_MS - 100; passed += 100) {
      await new Promise((resolve) => socket?.write(Buffer.from([3]), resolve));
      await scheduler.pass(100);
    }
    await expectEnd(opening, 100, `TLS connection to 127.0.0.1:${port}`);
    await until(() => socket?.destroyed === true);
  });

  it('ends the wait for a subsystem that an SSH server neither accepts nor refuses', async () => {
    let isAsked = false;
    const { double, options } = await openDouble({
      onSubsystem: () => {
        isAsked = true;
      },
    });
    const opening = connect(options);
    await until(() => isAsked);
    await expectEnd(opening, CONNECT_MS, `SSH connection to 127.0.0.1:${double.port}`);
  });

  it('is one limit for the connection and the hello together', async () => {
    const accepts: (() => void)[] = [];
    const { double, options } = await openDouble({
      onSubsystem: (accept) => accepts.push(accept),
      onConnect: () => undefined,
    });
    const opening = connect(options);
    await until(() => accepts.length > 0);
    await scheduler.pass(CONNECT_MS - 1000);
    accepts[0]?.();
    await until(() => scheduler.next() === HELLO_PAUSE_MS);
    await expectEnd(opening, 1000, 'hello');
    await until(() => double.sessions() === 0);
  });

  it('ends with the caller, and not later', async () => {
    const { port, sockets } = await listen();
    const caller = new AbortController();
    const opening = outcomeOf(connect(overTls(port), caller.signal));
    await until(() => (sockets[0]?.bytesRead ?? 0) > 0);
    caller.abort(new Problem('caller_gone', 'gone'));
    assert.equal(await opening, 'caller_gone: gone');
    assert.equal(scheduler.next(), undefined);
    await until(() => sockets[0]?.destroyed === true);
  });
});
