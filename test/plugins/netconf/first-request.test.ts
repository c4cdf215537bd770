import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { chunkedFrame, endOfMessageFrame } from '../../../plugins/netconf/framing.js';
import { NETCONF } from '../../../plugins/netconf/messages.js';
import { ReaderThreads } from '../../../plugins/netconf/reader-threads.js';
import { createSessionPool } from '../../../plugins/netconf/session-pool.js';
import { openSession } from '../../../plugins/netconf/session.js';
import { createReplyMemories } from '../../../src/core/reply-memory.js';
import type { XmlOutput } from '../../../src/yang/encoding/write-xml.js';
import { createFakeScheduler, type FakeScheduler } from '../../support/fake-scheduler.js';
import { helloWith } from '../../support/netconf-double.js';
import { openedByTest } from '../../support/opened.js';
import { until } from '../../support/until.js';
import { replyTo } from './double-adapter.js';

const BASE_1_1 = 'urn:ietf:params:netconf:base:1.1';
const READ: XmlOutput = { namespace: NETCONF, name: 'get' };
const EDIT: XmlOutput = { namespace: NETCONF, name: 'edit-config' };

/** Server at the other end of a stream, which the test plays. */
class Server {
  readonly received: string[] = [];
  readonly stream: Duplex;

  constructor() {
    this.stream = new Duplex({
      read: () => undefined,
      write: (bytes: Buffer, _encoding, done) => {
        this.received.push(bytes.toString());
        done();
      },
    });
  }

  hello(): void {
    this.stream.push(endOfMessageFrame(helloWith([BASE_1_1])));
  }

  confirm(messageId: string): void {
    this.stream.push(chunkedFrame(`${replyTo(messageId)}<ok/></rpc-reply>`));
  }

  /** Waits for the request number `at`, after the hello. */
  async request(at = 1): Promise<string> {
    await until(() => this.received.length > at);
    return this.received[at] ?? '';
  }
}

describe('the first request of a NETCONF session', () => {
  let scheduler: FakeScheduler;
  let servers: Server[];
  /** Number of messages that were read. */
  let reads: number;
  const threads = new ReaderThreads();
  const opened = openedByTest();
  after(() => threads.close());
  beforeEach(() => {
    scheduler = createFakeScheduler();
    servers = [];
    reads = 0;
  });

  const signal = (): AbortSignal => AbortSignal.timeout(20_000);

  function open() {
    const server = new Server();
    servers.push(server);
    const close = (): void => void server.stream.destroy();
    const settings = {
      read: async (task: Parameters<ReaderThreads['read']>[0]) => {
        const content = await threads.read(task, { owner: 'a', bytes: 1_000_000, depth: 100 });
        reads += 1;
        return content;
      },
      memory: createReplyMemories().open('a'),
      maxBytes: 1_000_000,
      scheduler,
    };
    return openSession({ stream: server.stream, close }, settings, signal());
  }

  /** Opens a session whose server answers the hello. */
  async function openWithHello() {
    const opening = open();
    servers.at(-1)?.hello();
    const timer = setInterval(() => void scheduler.pass(50), 1);
    try {
      return await opening;
    } finally {
      clearInterval(timer);
    }
  }

  /** Starts a read, or another operation, in a pool. */
  function start(maxSessions: number, operation = READ) {
    const settings = { open: openWithHello, maxSessions, maxWaiting: 10, idleMs: 3_600_000, scheduler };
    const pool = createSessionPool(settings);
    void opened(pool);
    const call = (sent: XmlOutput) => pool.use((session) => session.rpc(sent, signal()), signal());
    return { call, calling: call(operation) };
  }

  /** Returns the server of a session, which has received its first request. */
  async function requested(session = 0): Promise<Server> {
    await until(() => servers.length === session + 1);
    const server = servers[session];
    assert.ok(server);
    await server.request();
    return server;
  }

  it('waits until the server has had the time to read the hello by itself', async () => {
    let isOpen = false;
    const opening = open().then((session) => {
      isOpen = true;
      return session;
    });
    servers[0]?.hello();
    await until(() => reads === 1);
    await scheduler.pass(49);
    await setImmediate();
    assert.equal(isOpen, false);
    await scheduler.pass(1);
    (await opening).close();
  });

  it('goes on another session if it reads and has no answer for 3 seconds', async () => {
    const { calling } = start(2);
    await requested();
    await scheduler.pass(2999);
    assert.equal(servers.length, 1);
    await scheduler.pass(1);
    (await requested(1)).confirm('1');
    assert.deepEqual(await calling, { warnings: [] });
  });

  it('gets through to a server that is slow', async () => {
    const { calling } = start(1);
    for (const session of [0, 1]) {
      await requested(session);
      await scheduler.pass(3000);
    }
    const server = await requested(2);
    await scheduler.pass(20_000);
    server.confirm('1');
    assert.deepEqual(await calling, { warnings: [] });
  });

  it('waits for the rest of an answer that has begun', async () => {
    const { calling } = start(1);
    const { stream } = await requested();
    const answer = chunkedFrame(`${replyTo('1')}<ok/></rpc-reply>`);
    stream.push(answer.subarray(0, 3));
    await setImmediate();
    await scheduler.pass(20_000);
    stream.push(answer.subarray(3));
    assert.deepEqual(await calling, { warnings: [] });
    assert.equal(servers.length, 1);
  });

  it('is never repeated if it may change something', async () => {
    const { calling } = start(2, EDIT);
    const server = await requested();
    await scheduler.pass(20_000);
    server.confirm('1');
    assert.deepEqual(await calling, { warnings: [] });
    assert.equal(servers.length, 1);
  });

  for (const operation of [READ, EDIT])
    it(`is the only one with this limit, after ${operation.name}`, async () => {
      const { call, calling } = start(1, operation);
      const server = await requested();
      server.confirm('1');
      await calling;
      const second = call(READ);
      await server.request(2);
      await scheduler.pass(20_000);
      server.confirm('2');
      assert.deepEqual(await second, { warnings: [] });
      assert.equal(servers.length, 1);
    });
});
