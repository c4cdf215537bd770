import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { type HostKeys, knownHostKeys, pinnedKeys } from '../../../plugins/netconf/host-key.js';
import { NETCONF } from '../../../plugins/netconf/messages.js';
import { sourceElement } from '../../../plugins/netconf/read-data.js';
import { ReaderThreads } from '../../../plugins/netconf/reader-threads.js';
import { createSessionPool } from '../../../plugins/netconf/session-pool.js';
import {
  type Connected,
  openSession,
  type Session,
  type SessionSettings,
} from '../../../plugins/netconf/session.js';
import { connectSsh } from '../../../plugins/netconf/ssh-transport.js';
import { createReplyMemories } from '../../../src/core/reply-memory.js';
import { type Scheduler, systemScheduler } from '../../../src/lib/clock.js';
import { createPluginConnect } from '../../../src/upstream/plugin-connect.js';
import { problem } from '../../support/failing.js';
import { NETCONFD } from '../../support/need-list.js';
import { describeWith } from '../../support/needs.js';
import { type NetconfServer, startNetconfServer } from '../../support/netconf-server.js';
import { openedBySuite } from '../../support/opened.js';

const MAX_BYTES = 10_000_000;

describeWith(NETCONFD, 'a NETCONF session with netconfd under OpenSSH', () => {
  let server: NetconfServer;
  const opened = openedBySuite();
  before(async () => {
    server = await opened(startNetconfServer());
  });

  const threads = new ReaderThreads();
  after(() => threads.close());

  const signal = (): AbortSignal => AbortSignal.timeout(20_000);

  function sessionSettings(): SessionSettings {
    return {
      read: (task) => threads.read(task, { owner: 'a', bytes: MAX_BYTES, depth: 100 }),
      memory: createReplyMemories().open('a'),
      maxBytes: MAX_BYTES,
      scheduler: systemScheduler,
    };
  }

  async function connect(hostKeys: HostKeys, { port, username, privateKey } = server): Promise<Connected> {
    const login = { host: '127.0.0.1', port, username, privateKey, hostKeys };
    return connectSsh({ ...login, connectMs: 10_000, keepaliveMs: 0 }, createPluginConnect({}), signal());
  }

  async function open(hostKeys: HostKeys, device = server): Promise<Session> {
    return openSession(await connect(hostKeys, device), sessionSettings(), signal());
  }

  it('reads the capabilities', async () => {
    const session = await open(pinnedKeys([server.fingerprint]));
    const { capabilities } = session;
    assert.equal(capabilities.isVersion11, true);
    assert.equal(capabilities.has('candidate'), true);
    assert.equal(capabilities.has('writable-running'), false);
    assert.equal(capabilities.parameter('with-defaults', 'basic-mode'), 'explicit');
    const system = capabilities.modules.find(({ name }) => name === 'ietf-system');
    assert.equal(system?.revision, '2014-08-06');
    assert.equal(system.features.has('radius'), true);
    session.close();
  });

  /** Sends calls at once through a pool of its own. */
  async function burst(count: number, openOne: () => Promise<Session>): Promise<void> {
    const terms = { maxSessions: 4, maxWaiting: count, idleMs: 60_000, scheduler: systemScheduler };
    const pool = createSessionPool({ open: openOne, ...terms });
    const content = [sourceElement('startup')];
    const operation = { namespace: NETCONF, name: 'get-config', content };
    const calls = Array.from({ length: count }, () =>
      pool.use((session) => session.rpc(operation, signal(), { as: 'streams', list: 'streams' }), signal()),
    );
    assert.equal((await Promise.all(calls)).length, count);
    pool.close();
  }

  it('answers the first requests of sessions in bursts of 25 calls', async () => {
    for (let at = 0; at < 4; at += 1) await burst(25, () => open(pinnedKeys([server.fingerprint])));
  });

  it('answers calls although it loses a request that it reads together with the hello', async () => {
    // The limit of 3 seconds passes ten times as fast.
    const scheduler: Scheduler = {
      now: () => systemScheduler.now(),
      after: (ms, work) => systemScheduler.after(ms / 10, work),
    };
    let sessions = 0;
    await burst(8, async () => {
      const connected = await connect(pinnedKeys([server.fingerprint]));
      const isFirst = (sessions += 1) === 1;
      const settings = { ...sessionSettings(), scheduler };
      return openSession(isFirst ? withJoinedWrites(connected) : connected, settings, signal());
    });
  });

  it('accepts a host of known_hosts, and refuses another key before the login', async () => {
    const text = readFileSync(server.knownHosts, 'utf8');
    const session = await open(knownHostKeys(text, '127.0.0.1', server.port));
    session.close();
    const other = pinnedKeys([`SHA256:${'A'.repeat(43)}`]);
    for (const keys of [other, knownHostKeys(text, '127.0.0.1', 830), knownHostKeys('', 'x', 1)])
      await assert.rejects(open(keys), (error) => {
        problem('upstream_unreachable')(error);
        assert.ok((error as Error).message.includes(server.fingerprint), String(error));
        return true;
      });
  });

  it('notices the end of the server', async () => {
    const other = await startNetconfServer();
    const session = await open(pinnedKeys([other.fingerprint]), other);
    const closed = new Promise<void>((resolve) => {
      session.onClose(resolve);
    });
    await other.close();
    await closed;
    assert.equal(session.isOpen(), false);
    await assert.rejects(session.rpc({ namespace: NETCONF, name: 'get' }, signal()), /closed/);
  });
});

/** Joins the first two writes of a connection, as a busy machine does. */
function withJoinedWrites({ stream, close }: Connected): Connected {
  let hello: Buffer | undefined;
  const joined = new Duplex({
    read: () => undefined,
    write: (bytes: Buffer, _encoding, done) => {
      if (hello === undefined) {
        hello = bytes;
        done();
        return;
      }
      stream.write(Buffer.concat([hello, bytes]), done);
      hello = Buffer.alloc(0);
    },
  });
  stream.on('data', (bytes: Buffer) => joined.push(bytes));
  stream.on('close', () => joined.destroy());
  return { stream: joined, close };
}
