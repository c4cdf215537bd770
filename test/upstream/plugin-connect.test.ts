import assert from 'node:assert/strict';
import { createServer, Socket } from 'node:net';
import { Problem } from '../../src/core/problem.js';
import { createConnectionCheck, parseAdapterEgress } from '../../src/upstream/adapter-egress.js';
import { createOwnAddressCheck } from '../../src/upstream/own-addresses.js';
import { createPluginConnect } from '../../src/upstream/plugin-connect.js';
import { problem } from '../support/failing.js';
import { freePort } from '../support/free-port.js';
import { listenOnLoopback } from '../support/loopback.js';
import { openedBySuite } from '../support/opened.js';

describe('the connections of a plugin with a transport of its own', () => {
  let port: number;
  const received: Buffer[] = [];
  const opened = openedBySuite();
  before(async () => {
    const server = createServer((socket) => {
      socket.unref().on('data', (bytes) => received.push(bytes));
      socket.on('error', () => undefined);
    });
    ({ port } = await opened(listenOnLoopback(server)));
  });

  const never = (): AbortSignal => new AbortController().signal;
  const connectMs = 10_000;

  function connectAsRegistered(openTargets: readonly string[]) {
    const { policy } = parseAdapterEgress(openTargets);
    const ownAddressCheck = createOwnAddressCheck({ now: () => 0 });
    const inspect = createConnectionCheck(
      { policy, ownAddresses: () => [], ownAddressCheck },
      { verifiesName: false },
    );
    return createPluginConnect({ inspect });
  }

  it('check the address that a name led to, which is the one of the connection, before any byte', async () => {
    await assert.rejects(
      connectAsRegistered([])({ host: 'localhost', port, connectMs }, never()),
      problem('egress_denied', /"localhost": its address is loopback/),
    );
    assert.deepEqual(received, []);
  });

  it('check an IPv4 address in the form of IPv6', async () => {
    for (const host of ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:127.0.0.1'])
      await assert.rejects(
        connectAsRegistered([])({ host, port, connectMs }, never()),
        problem('egress_denied', /its address is loopback/),
      );
    assert.deepEqual(received, []);
  });

  it('are refused to an adapter with a proxy, which they would go past', async () => {
    const connect = createPluginConnect({ proxy: 'http://127.0.0.1:9' });
    await assert.rejects(
      connect({ host: '127.0.0.1', port, connectMs }, never()),
      problem('adapter_unavailable', /remove "proxy"/),
    );
  });

  it('reach what the operator has opened, and everything for an adapter of a file', async () => {
    for (const connect of [connectAsRegistered(['127.0.0.1']), createPluginConnect({})]) {
      const socket = await connect({ host: '127.0.0.1', port, connectMs }, never());
      assert.ok(socket instanceof Socket);
      assert.equal(socket.remoteAddress, '127.0.0.1');
      socket.destroy();
    }
  });

  it('fail with a Problem: nobody listens, or the caller leaves', async () => {
    const connect = createPluginConnect({});
    const target = { host: '127.0.0.1', port: await freePort(), connectMs };
    await assert.rejects(connect(target, never()), problem('upstream_unreachable'));
    const caller = new AbortController();
    caller.abort(new Problem('caller_gone', 'left'));
    await assert.rejects(connect({ ...target, port }, caller.signal), problem('caller_gone'));
  });
});
