import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import type { ClusterSubscription } from '../../src/core/cluster-events.js';
import { openStore } from '../../src/features/open-store.js';
import type { Store } from '../../src/features/store.js';
import { ClusterPoller, createRevisionPoll } from '../../src/server/state/cluster-poller.js';
import { PeerListener } from '../../src/storage/notifications.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { memoryLog } from '../support/memory-log.js';
import { POSTGRES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { eventually, until } from '../support/until.js';

const LISTENING = "from pg_stat_activity where application_name = 'gatehouse-listener'";

describeWith(POSTGRES, 'a cluster change subscription', () => {
  let server: PostgresServer;
  let url = '';
  let stores: readonly Store[] = [];
  const open: ClusterSubscription[] = [];

  const opened = openedBySuite();
  before(async () => {
    // Its tests count or end the listeners of the whole server.
    server = await opened(startPostgres({ own: true }));
    url = await server.newUrl();
    stores = [await opened(openStore(url)), await opened(openStore(url))];
  });

  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  /**
   * Subscribes to changes of one of the stores; the clock of the subscription advances only when a test
   * advances it.
   */
  async function listen(store = stores[0]) {
    const scheduler = createFakeScheduler();
    const { log, lines } = memoryLog();
    let notifications = 0;
    const onChange = (): void => {
      notifications += 1;
    };
    const subscription = store?.subscribeClusterChanges?.({ scheduler, log, onChange });
    assert.ok(subscription);
    open.push(subscription);
    // A subscription starts with one notification for earlier changes.
    await until(() => notifications === 1);
    return { notifications: () => notifications, scheduler, lines, subscription };
  }

  const change = (store = stores[1]): Promise<unknown> =>
    store!.platform.overrides({ kind: 'adapter', name: 'nso1' }, (overrides) => ({
      ...overrides,
      restarts: overrides.restarts + 1,
    }));
  const terminate = (): Promise<unknown> => server.run(`select pg_terminate_backend(pid) ${LISTENING}`);
  const connections = async (): Promise<number> =>
    Number((await server.run(`select count(*) as n ${LISTENING}`))[0]?.['n']);

  it('reports every change of another instance, and none of its own', async () => {
    const { notifications } = await listen();
    await change(stores[0]);
    await change();
    await until(() => notifications() === 2);
    // Exactly one notification follows a change of another store.
    await change();
    await until(() => notifications() === 3);
  });

  it('does not report a change that was rolled back', async () => {
    const { notifications } = await listen();
    const undone = stores[1]!.platform.overrides({ kind: 'adapter', name: 'nso1' }, () => {
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    await change();
    await until(() => notifications() === 2);
  });

  it('reconnects after a lost connection, first after one second, then after two', async () => {
    const { notifications, scheduler, lines } = await listen();
    await terminate();
    await until(() => scheduler.next() === 1_000);
    assert.match(
      lines[0]?.message ?? '',
      /^notification connection lost; polling the database once a second/,
    );
    await change();
    await scheduler.pass(1_000);
    // One check covers all changes that were missed in the meantime.
    await until(() => notifications() === 2);
    assert.match(lines[1]?.message ?? '', /^notification connection restored$/);
    await change();
    await until(() => notifications() === 3);
  });

  it('reconnects with growing delays of up to one minute, and logs the loss once', async () => {
    const { scheduler, lines, listener } = openListener(() => new pg.Client({ host: '127.0.0.1', port: 1 }));
    open.push(listener);
    for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      await until(() => scheduler.next() === pause);
      await scheduler.pass(pause);
    }
    assert.equal(lines.length, 1);
  });

  it('checks its connection every 30 s, and closes a connection that hangs', async () => {
    const relay = await openRelay(new URL(url));
    const { scheduler, listener, changes } = openListener(
      () => new pg.Client({ connectionString: relay.url, query_timeout: 1_000 }),
    );
    await until(() => scheduler.next() === 30_000);
    await scheduler.pass(30_000);
    await until(() => scheduler.next() === 30_000);
    assert.equal(changes(), 1);
    relay.hang();
    await scheduler.pass(30_000);
    await until(() => scheduler.next() === 1_000);
    await scheduler.pass(1_000);
    await until(() => changes() === 2);
    await listener.close();
    await relay.close();
  });

  it('leaves no connection open', async () => {
    const { subscription } = await listen();
    assert.equal(await connections(), 1);
    await subscription.close();
    await eventually(async () => {
      assert.equal(await connections(), 0);
    });
    await subscription.close();
  });

  it('is replaced by the poll while its connection is down', async () => {
    const [one, other] = stores as [Store, Store];
    const [listenerClock, pollClock] = [createFakeScheduler(), createFakeScheduler()];
    const { log } = memoryLog();
    let [changes, live] = [0, await one.platform.revision()];
    const look = createRevisionPoll({
      revision: () => one.platform.revision(),
      live: () => live,
      onChange: () => {
        changes += 1;
        live += 1;
      },
    });
    const watch = new ClusterPoller({
      polls: [look],
      subscribe: (onChange) => one.subscribeClusterChanges!({ scheduler: listenerClock, log, onChange }),
      scheduler: pollClock,
    });
    open.push(watch);
    await until(() => listenerClock.next() === 30_000);
    await change(other);
    // The clock is stopped: the change arrived as a notification.
    await until(() => changes === 1);
    await terminate();
    await until(() => listenerClock.next() === 1_000);
    await change(other);
    await until(() => pollClock.next() === 1_000);
    await pollClock.pass(1_000);
    await until(() => changes === 2);
    await listenerClock.pass(1_000);
    await until(() => listenerClock.next() === 30_000);
    await change(other);
    await until(() => changes === 3);
  });

  it('says after each connect that announcements of other nodes may have been missed', async () => {
    const store = stores[0];
    let missed = 0;
    store?.peers?.onMissedAnnouncements(() => (missed += 1));
    const { scheduler } = await listen(store);
    assert.equal(missed, 1);
    await until(() => scheduler.next() === 30_000);
    await terminate();
    await until(() => scheduler.next() === 1_000);
    assert.equal(missed, 1);
    await scheduler.pass(1_000);
    await until(() => missed === 2);
  });

  it('does not exist in SQLite, which only one instance uses', async () => {
    const store = await openStore('sqlite::memory:');
    assert.equal(store.subscribeClusterChanges, undefined);
    await change(store);
    assert.equal(await store.platform.revision(), 1);
    await store.close();
  });
});

describe('the connection of a cluster change subscription', () => {
  /** Opens a listener of a server that leaves connections open, and refuses statements or accepts them. */
  async function listen(refuses: boolean) {
    const server = await openSilentServer(refuses);
    const clients: pg.Client[] = [];
    const opened = openListener(() => {
      const client = new pg.Client({ host: '127.0.0.1', port: server.port, user: 'gatehouse' });
      clients.push(client);
      return client;
    });
    const isDestroyed = (): boolean | undefined => clients[0]?.connection.stream.destroyed;
    return { server, ...opened, isDestroyed };
  }

  it('is destroyed one second after the close if the server does not answer (bug: never)', async () => {
    const { server, scheduler, listener, isDestroyed } = await listen(false);
    await until(() => scheduler.next() === 30_000);
    const closing = listener.close();
    await until(() => scheduler.next() === 1_000);
    assert.equal(isDestroyed(), false);
    await scheduler.pass(1_000);
    await closing;
    assert.equal(isDestroyed(), true);
    await server.close();
  });

  it('is destroyed one second after a loss if the server does not answer', async () => {
    const { server, scheduler, listener, isDestroyed } = await listen(true);
    await until(() => scheduler.next() === 1_000);
    assert.equal(isDestroyed(), false);
    await scheduler.pass(1_000);
    assert.equal(isDestroyed(), true);
    const closing = listener.close();
    await server.close();
    await closing;
  });
});

/** Opens a listener that counts changes, with a clock that the test advances. */
function openListener(client: () => pg.Client) {
  const scheduler = createFakeScheduler();
  const { log, lines } = memoryLog();
  let changes = 0;
  const onChange = (): void => {
    changes += 1;
  };
  const listener = new PeerListener({ scheduler, log, client, node: 'one', onChange });
  return { scheduler, lines, listener, changes: () => changes };
}

/** Opens a server that speaks the protocol of PostgreSQL up to
 the end of a connection, which it never closes. */
function openSilentServer(refuses: boolean): Promise<Listener> {
  const message = (type: string, body: string): Buffer => {
    const bytes = Buffer.from(`${type}....${body}`, 'latin1');
    bytes.writeInt32BE(bytes.length - 1, 1);
    return bytes;
  };
  const ready = message('Z', 'I');
  const loggedIn = Buffer.concat([message('R', '\0\0\0\0'), ready]);
  const reply = Buffer.concat([
    refuses ? message('E', 'SERROR\0C55000\0Mrefused\0\0') : message('C', 'LISTEN\0'),
    ready,
  ]);
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(loggedIn);
      socket.on('data', (bytes) => bytes.toString('latin1', 0, 1) === 'Q' && socket.write(reply));
    });
  });
  return listenOnLoopback(server);
}

/** Opens a relay to a server that can block existing connections; new connections pass. */
async function openRelay(to: URL) {
  const pairs: (readonly [Socket, Socket])[] = [];
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    pairs.push([near, far]);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far);
    far.pipe(near);
  });
  const { port, close } = await listenOnLoopback(server);
  const own = new URL(to);
  own.port = String(port);
  return {
    url: own.href,
    hang(): void {
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    async close(): Promise<void> {
      for (const [, far] of pairs) far.destroy();
      await close();
    },
  };
}
