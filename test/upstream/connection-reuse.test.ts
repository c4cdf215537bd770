import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { noteConnection } from '../../src/adapters/connection-state.js';
import { silentLog } from '../../src/core/log.js';
import type { Problem } from '../../src/core/problem.js';
import { systemClock } from '../../src/lib/clock.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { ConnectionReuse, MAX_DROPS_IN_ROW } from '../../src/upstream/connection-reuse.js';
import type { WrittenAdapter } from '../support/adapter-settings.js';
import { column } from '../support/columns.js';
import { problem } from '../support/failing.js';
import {
  type HostileUpstream,
  onRequest,
  type Script,
  startHostileUpstream,
} from '../support/hostile-upstream.js';
import { memoryLog } from '../support/memory-log.js';
import { bodyOf, streamRequest } from '../support/stream-request.js';
import { neverAborted, upstreamsOfTest } from './upstreams.js';

const REPLY = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}';
const UNKNOWN = /closed a connection that had been used before, and sent no reply: .* unknown/;

/** Resolves once undici takes a connection that has just served a request: one turn of the event loop later. */
async function connectionsAreFree(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Returns the failure of a request. */
const outcomeOf = (sending: Promise<unknown>): Promise<unknown> =>
  sending.then(() => undefined).catch((error: unknown) => error);

/** How a connection ends at its second request. */
const ENDS: Readonly<Record<string, (socket: Parameters<Script>[0]) => unknown>> = {
  FIN: (socket) => socket.end(),
  RST: (socket) => socket.resetAndDestroy(),
};

describe('a reused connection that ends before the first byte of the reply (bug: it took the budget of retries, and opened the circuit breaker)', () => {
  let server: HostileUpstream;
  const { opened, open: openUpstream } = upstreamsOfTest();

  /** Starts a server that answers the first requests of each connection, and then ends it without a reply. */
  async function serve(end = ENDS['RST'], answered = 1): Promise<void> {
    const script: Script = (socket) => {
      let requests = 0;
      onRequest(() => {
        requests += 1;
        if (requests <= answered) socket.write(REPLY);
        else end?.(socket);
      })(socket);
    };
    server = await opened(startHostileUpstream([script]));
  }

  function open(written: WrittenAdapter = {}, log = silentLog) {
    const upstream = openUpstream({ baseUrl: server.origin, ...written }, { log });
    return {
      upstream,
      call: async (method: string) => {
        await connectionsAreFree();
        return (await upstream.send({ method, path: '/', headers: {} }, neverAborted())).body.toString();
      },
      stream: async (method: string) => {
        const reply = await upstream.pass?.(streamRequest({ method }), neverAborted());
        return reply ? bodyOf(reply) : '';
      },
    };
  }

  /** Returns how many requests arrived at the server. */
  const requests = (): number => server.received().join('').split(' HTTP/1.1\r\n').length - 1;

  for (const kind of ['call', 'stream'] as const)
    for (const [name, end] of Object.entries(ENDS)) {
      it(`costs a ${kind} of a safe method no retry of the budget: ${name}`, async () => {
        await serve(end);
        // Neither retries nor a breaker that tolerates a failure.
        const breaker = { failures: 1, openMs: 60_000 };
        const opening = open({ retry: { attempts: 1, budgetPercent: 0 }, breaker });
        for (let at = 0; at < 60; at += 1)
          assert.equal(await opening[kind](at % 2 === 0 ? 'GET' : 'HEAD'), at % 2 === 0 ? '{"a":1}' : '');
        const { retries, baseUrls } = opening.upstream.status?.() ?? {};
        assert.equal(retries, 0);
        assert.deepEqual([baseUrls?.[0]?.breaker, baseUrls?.[0]?.failures], ['closed', 0]);
      });

      it(`fails a ${kind} that may change something, which is not sent again: ${name}`, async () => {
        await serve(end);
        const { upstream, [kind]: send } = open({ breaker: { failures: 1, openMs: 60_000 } });
        const recorder = noteConnection(upstream, systemClock, silentLog);
        assert.equal(await send('GET'), '{"a":1}');
        const before = requests();
        const failure = await outcomeOf(send('POST'));
        problem('upstream_unreachable', UNKNOWN)(failure);
        assert.match((failure as Problem).extras.advice ?? '', /reuseConnections/);
        assert.equal(requests(), before + 1);
        assert.equal(upstream.status?.().baseUrls[0]?.failures, 0);
        assert.equal(recorder.state().state, 'UNKNOWN');
      });
    }

  it('does not make an adapter offline', async () => {
    await serve();
    const { upstream } = open();
    const recorder = noteConnection(upstream, systemClock, silentLog);
    const send = (method: string) =>
      recorder.upstream.send({ method, path: '/', headers: {} }, neverAborted());
    await send('GET');
    await connectionsAreFree();
    await assert.rejects(send('POST'), problem('upstream_unreachable', UNKNOWN));
    assert.equal(recorder.state().state, 'ONLINE');
  });

  it(`stops the reuse after ${MAX_DROPS_IN_ROW} in a row, and says so`, async () => {
    await serve();
    const { log, lines } = memoryLog();
    const { upstream, call, stream } = open({}, log);
    const outcomes: boolean[] = [];
    for (let at = 0; at < 20; at += 1) outcomes.push((await outcomeOf(call('POST'))) === undefined);
    assert.equal(outcomes.filter((succeeded) => !succeeded).length, MAX_DROPS_IN_ROW);
    assert.ok(outcomes.slice(2 * MAX_DROPS_IN_ROW).every(Boolean));
    assert.equal(upstream.status?.().connectionReuse, 'stopped');
    const warnings = lines.filter(({ level }) => level === 'warn');
    assert.deepEqual(column(warnings, 'message'), [
      'orchestrator drops reused connections; opening a connection for each request',
    ]);
    for (let at = 0; at < 5; at += 1) assert.equal(await stream('DELETE'), '{"a":1}');
  });

  it('does not occur with reuseConnections: false, which sends each request on a new connection', async () => {
    await serve();
    const { upstream, call, stream } = open({ reuseConnections: false });
    for (let at = 0; at < 5; at += 1) {
      assert.equal(await call('POST'), '{"a":1}');
      assert.equal(await stream('POST'), '{"a":1}');
    }
    assert.equal(server.connections(), 10);
    assert.equal(upstream.status?.().connectionReuse, 'off');
    assert.ok(server.received().every((text) => /\r\nconnection: close\r\n/i.test(text)));
  });

  it('is a failure of a new connection', async () => {
    await serve(ENDS['RST'], 0);
    const breaker = { failures: 2, openMs: 60_000 };
    const { upstream, call, stream } = open({ retry: { attempts: 1 }, breaker });
    await assert.rejects(call('GET'), problem('upstream_unreachable', /without an answer/));
    await assert.rejects(stream('GET'), problem('upstream_unreachable', /without an answer/));
    const status = upstream.status?.();
    assert.equal(status?.baseUrls[0]?.breaker, 'open');
    assert.equal(status.connectionReuse, 'on');
  });

  it('is a bad reply after the first byte', async () => {
    await serve((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"a"'));
    const { call } = open({ retry: { attempts: 1 } });
    assert.equal(await call('GET'), '{"a":1}');
    await assert.rejects(call('GET'), problem('upstream_bad_reply'));
  });

  it('concerns Vault and identity providers as well', async () => {
    await serve();
    const client = openHttpClient({ connections: 1 });
    const send = (method: string) =>
      client.send({ method, url: server.origin, headers: {} }, { totalMs: 20_000, replyBytes: 1000 });
    for (let at = 0; at < 10; at += 1) assert.equal((await send('GET')).body.toString(), '{"a":1}');
    await client.close();
  });
});

describe('the reuse of connections', () => {
  const drop = (reuse: ConnectionReuse, connection = {}): void => {
    reuse.noteOpened(connection);
    reuse.noteDrop(connection);
  };

  it('does not stop for many connections that one restart of the target ends', () => {
    const reuse = new ConnectionReuse();
    const connections = Array.from({ length: 50 }, () => ({}));
    for (const connection of connections) reuse.noteOpened(connection);
    for (const connection of connections) reuse.noteDrop(connection);
    assert.equal(reuse.state, 'on');
  });

  it('does not stop while replies arrive between the drops', () => {
    const reuse = new ConnectionReuse();
    for (let at = 0; at < 50; at += 1) {
      for (let before = 1; before < MAX_DROPS_IN_ROW; before += 1) drop(reuse);
      reuse.noteReply();
    }
    assert.equal(reuse.state, 'on');
    for (let at = 0; at < MAX_DROPS_IN_ROW; at += 1) drop(reuse);
    assert.equal(reuse.state, 'stopped');
  });

  it('stays off', () => {
    const reuse = new ConnectionReuse(false);
    for (let at = 0; at < 10; at += 1) drop(reuse);
    assert.equal(reuse.state, 'off');
  });
});
