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
import { neverAborted } from './upstreams.js';

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

  const connectMs = 10_000;

  function connectAsRegistered(openTargets: readonly string[]) {
    const { policy } = parseAdapterEgress(openTargets);
    const ownAddressCheck = createOwnAddressCheck({ now: () => 0 });
    const checks = { policy, ownAddresses: () => [], ownAddressCheck };
    const inspect = createConnectionCheck(checks, { verifiesName: false });
    return createPluginConnect({ inspect });
  }

  it('check the address that a name led to, which is the one of the connection, before any byte', async () => {
    for (const host of ['localhost', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:127.0.0.1']) {
      const connecting = connectAsRegistered([])({ host, port, connectMs }, neverAborted());
      await assert.rejects(connecting, problem('egress_denied', /": its address is loopback/), host);
    }
    assert.deepEqual(received, []);
  });

  it('are refused to an adapter with a proxy, which they would go past', async () => {
    const connect = createPluginConnect({ proxy: 'http://127.0.0.1:9' });
    const connecting = connect({ host: '127.0.0.1', port, connectMs }, neverAborted());
    await assert.rejects(connecting, problem('adapter_unavailable', /remove "proxy"/));
  });

  it('reach what the operator has opened, and everything for an adapter of a file', async () => {
    for (const connect of [connectAsRegistered(['127.0.0.1']), createPluginConnect({})]) {
      const socket = await connect({ host: '127.0.0.1', port, connectMs }, neverAborted());
      assert.ok(socket instanceof Socket);
      assert.equal(socket.remoteAddress, '127.0.0.1');
      socket.destroy();
    }
  });

  it('fail with a Problem: nobody listens, or the caller leaves', async () => {
    const connect = createPluginConnect({});
    const target = { host: '127.0.0.1', port: await freePort(), connectMs };
    await assert.rejects(connect(target, neverAborted()), problem('upstream_unreachable'));
    const caller = new AbortController();
    caller.abort(new Problem('caller_gone', 'left'));
    await assert.rejects(connect({ ...target, port }, caller.signal), problem('caller_gone'));
  });
});
