import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { ConnectionPlaces, isReservedPlace, markKnownCaller } from '../../src/http/connection-places.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog } from '../support/memory-log.js';

let port = 1024;

class FakeSocket extends EventEmitter {
  destroyed = false;
  readonly remotePort = (port += 1);

  constructor(readonly remoteAddress: string) {
    super();
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    queueMicrotask(() => this.emit('close'));
  }
}

/** Places, and the connections that got one. */
function open(limits: { readonly connections: number; readonly connectionsPerAddress?: number }) {
  const scheduler = createFakeScheduler();
  const { log, lines } = memoryLog();
  const places = new ConnectionPlaces({ connectionsPerAddress: null, ...limits }, log, scheduler);
  const connect = (address: string): Socket => {
    const socket = new FakeSocket(address) as unknown as Socket;
    if (!places.admit(socket)) socket.destroy();
    return socket;
  };
  const connectMany = (count: number, address: string) =>
    Array.from({ length: count }, () => connect(address));
  const open = (sockets: readonly Socket[]) => sockets.filter(({ destroyed }) => !destroyed).length;
  return { scheduler, lines, places, connect, connectMany, open };
}

describe('finding F8: the places of connections', () => {
  it('are for one network at most half of all, or as many as the operator allows', () => {
    const half = open({ connections: 10 });
    assert.equal(half.open(half.connectMany(20, '192.0.2.1')), 5);
    const set = open({ connections: 10, connectionsPerAddress: 8 });
    assert.equal(set.open(set.connectMany(20, '192.0.2.1')), 8);
  });

  it('count the addresses of an IPv6 /64 network as one, and IPv4 addresses in IPv6 as IPv4', () => {
    const { connect, open: openOf } = open({ connections: 100, connectionsPerAddress: 2 });
    const host = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3'].map(connect);
    assert.equal(openOf(host), 2);
    assert.equal(openOf(['2001:db8:0:1::1', '192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'].map(connect)), 3);
  });

  it('pass from the connection that has been idle for longest to a new one', () => {
    const { places, connect } = open({ connections: 4, connectionsPerAddress: 4 });
    const [first, second, third, fourth] = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map(connect);
    assert.ok(first && second && third && fourth);
    places.begin(first);
    places.begin(second);
    places.finish(first);
    connect('192.0.2.5');
    assert.deepEqual([first, second, third, fourth].map(({ destroyed }) => destroyed), [false, false, true, false]); // prettier-ignore
    connect('192.0.2.5');
    connect('192.0.2.6');
    assert.deepEqual([first, second, third, fourth].map(({ destroyed }) => destroyed), [true, false, true, true]); // prettier-ignore
  });

  it('pass from callers with a token only if no other connection is idle', () => {
    const { places, connect, connectMany } = open({ connections: 4, connectionsPerAddress: 4 });
    const known = connect('192.0.2.1');
    places.begin(known);
    markKnownCaller(known);
    places.finish(known);
    connectMany(40, '192.0.2.2');
    assert.equal(known.destroyed, false);
  });

  it('never pass from a connection with an unfinished request', () => {
    const { places, connectMany, open: openOf } = open({ connections: 4, connectionsPerAddress: 4 });
    const busy = connectMany(4, '192.0.2.1');
    for (const socket of busy) places.begin(socket);
    assert.equal(openOf(connectMany(4, '192.0.2.2')), 0);
    assert.equal(openOf(busy), 4);
  });

  it('are reserved in part: a request per connection, ten per network, each begun within two seconds', async () => {
    const { scheduler, places, connect, connectMany, open: openOf } = open({ connections: 1000 });
    const busy = [...connectMany(500, '192.0.2.1'), ...connectMany(450, '192.0.2.2')];
    for (const socket of busy) places.begin(socket);
    assert.equal(openOf(busy), 950);
    const silent = connectMany(20, '192.0.2.1');
    assert.equal(openOf(silent), 10);
    const caller = connect('192.0.2.3');
    places.begin(caller);
    assert.ok(isReservedPlace(caller));
    assert.ok(!isReservedPlace(busy[0]!));
    await scheduler.pass(2000);
    assert.equal(openOf(silent), 0);
    assert.equal(openOf([caller]), 1);
    assert.equal(openOf(connectMany(20, '192.0.2.1')), 10);
  });

  it('are free again after the connections have closed', async () => {
    const { places, connectMany, open: openOf } = open({ connections: 100, connectionsPerAddress: 95 });
    for (let round = 0; round < 3; round += 1) {
      const sockets = connectMany(95, '192.0.2.1');
      for (const socket of sockets) places.begin(socket);
      sockets.push(...connectMany(10, '192.0.2.1'));
      assert.equal(openOf(sockets), 100);
      for (const socket of sockets) socket.destroy();
      await Promise.resolve();
    }
  });

  it('tell the operator once in a minute how many connections were closed, and the last network', async () => {
    const { scheduler, lines, connectMany } = open({ connections: 10 });
    connectMany(25, '192.0.2.1');
    await scheduler.pass(60_000);
    connectMany(1, '2001:db8::1');
    connectMany(8, '192.0.2.2');
    const told = lines.map(({ fields }) => [fields['closed'], fields['network']]);
    assert.deepEqual(told, [
      [1, '192.0.2.1'],
      [20, '192.0.2.2'],
    ]);
  });
});
