import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { Problem } from '../../src/core/problem.js';
import type { ProblemCode } from '../../src/core/problem-codes.js';
import { createConnectionCheck, parseAdapterEgress } from '../../src/upstream/adapter-egress.js';
import { createOwnAddressCheck } from '../../src/upstream/own-addresses.js';
import { createPluginConnect } from '../../src/upstream/plugin-connect.js';
import { freePort } from '../support/free-port.js';

const problem = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code;

describe('the connections of a plugin with a transport of its own', () => {
  let server: Server;
  let port: number;
  const received: Buffer[] = [];
  const open = new Set<Socket>();
  before(async () => {
    server = createServer((socket) => {
      open.add(socket);
      socket.on('data', (bytes) => received.push(bytes));
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    for (const socket of open) socket.destroy();
    server.close();
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
      (error) =>
        problem('egress_denied')(error) && String(error).includes('"localhost": its address is loopback'),
    );
    assert.deepEqual(received, []);
  });

  it('check an IPv4 address in the form of IPv6', async () => {
    for (const host of ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:127.0.0.1'])
      await assert.rejects(
        connectAsRegistered([])({ host, port, connectMs }, never()),
        (error) => problem('egress_denied')(error) && String(error).includes('its address is loopback'),
      );
    assert.deepEqual(received, []);
  });

  it('are refused to an adapter with a proxy, which they would go past', async () => {
    const connect = createPluginConnect({ proxy: 'http://127.0.0.1:9' });
    await assert.rejects(
      connect({ host: '127.0.0.1', port, connectMs }, never()),
      (error) => problem('adapter_unavailable')(error) && String(error).includes('remove "proxy"'),
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
