import assert from 'node:assert/strict';
import type { Adapter, OutboundRequest } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import type { ProblemCode } from '../../src/core/problem-codes.js';
import type { CallSpan } from '../../src/core/trace.js';
import type { StreamRequest } from '../../src/core/stream.js';
import type { Upstream } from '../../src/core/upstream.js';
import { ownConnection, sendOf, transportOf, withFixedHeaders } from '../../src/adapters/plugin-transport.js';
import { streamRequest } from '../support/stream-request.js';

type Send = NonNullable<Adapter['send']>;

const request: OutboundRequest = { method: 'GET', path: '/a', headers: {} };
const timeouts = { connectMs: 1000, firstByteMs: 1000, totalMs: 60_000, idleMs: 1000, startMs: 1000 };
const translate: Adapter['translate'] = ({ method, path }) => [{ method, path, headers: {} }];
const upstream: Upstream = {
  send: () => Promise.reject(new Error('the host’s upstream was used')),
  close: () => Promise.resolve(),
};
const answering = (reply: unknown): Send => (() => Promise.resolve(reply)) as Send;
const bytes = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text) });
const never = (): AbortSignal => new AbortController().signal;

function open(send: Send, terms = { timeouts, replyBytes: 10 }, more: Partial<Adapter> = {}): Upstream {
  return transportOf({ translate, send, ...more }, upstream, terms);
}

function problem(code: ProblemCode) {
  return (error: unknown) => error instanceof Problem && error.code === code;
}

describe('withFixedHeaders', () => {
  const passed: StreamRequest[] = [];
  const pass: NonNullable<Upstream['pass']> = (passedRequest) => {
    passed.push(passedRequest);
    return Promise.reject(new Error('not sent'));
  };

  it('adds the fixed headers of the adapter to streams', async () => {
    const adapter: Adapter = { translate, fixedHeaders: () => ({ 'x-tenant': 'blue' }) };
    const opened = withFixedHeaders(adapter, { ...upstream, pass });
    await assert.rejects(async () => opened.pass?.(streamRequest({}), never()), /not sent/);
    assert.deepEqual(passed[0]?.fixedHeaders, { 'x-tenant': 'blue' });
  });

  it('adds them to health probes', async () => {
    const seen: unknown[] = [];
    const probe = async (_signal: AbortSignal, fixedHeaders?: Readonly<Record<string, string>>) => {
      await Promise.resolve(seen.push(fixedHeaders));
    };
    const adapter: Adapter = { translate, fixedHeaders: () => ({ 'x-tenant': 'blue' }) };
    await withFixedHeaders(adapter, { ...upstream, probe }).probe?.(new AbortController().signal);
    assert.deepEqual(seen, [{ 'x-tenant': 'blue' }]);
  });

  it('returns the upstream of an adapter without fixed headers unchanged', () => {
    const streaming = { ...upstream, pass };
    assert.equal(withFixedHeaders({ translate }, streaming), streaming);
    assert.deepEqual(withFixedHeaders({ translate, fixedHeaders: () => ({ a: 'b' }) }, upstream), upstream);
  });

  it('refuses headers that an adapter must not set, without their values', () => {
    for (const [name, value] of [
      ['X-Tenant', 'secret'],
      ['host', 'secret'],
      ['bad name', 'secret'],
      ['x-tenant', 'secret\r\nx: y'],
    ] as const)
      assert.throws(
        () => withFixedHeaders({ translate, fixedHeaders: () => ({ [name]: value }) }, { ...upstream, pass }),
        (error) =>
          error instanceof Problem && error.message.includes(name) && !error.message.includes('secret'),
      );
  });
});

describe('transportOf', () => {
  it('sends through the plugin if it has a send function, otherwise through the upstream', async () => {
    const reply = bytes('ok');
    assert.equal(await open(answering(reply)).send(request, never()), reply);
    assert.equal(transportOf({ translate }, upstream, { timeouts, replyBytes: 10 }), upstream);
  });

  it('keeps the access rules of the adapter (bug: they were lost)', () => {
    const access = [{ methods: ['GET'] }] as const;
    const terms = { timeouts, replyBytes: 10 };
    const opened = transportOf({ translate, send: answering(bytes('ok')) }, { ...upstream, access }, terms);
    assert.equal(opened.access, access);
  });

  it('aborts the signal of the plugin at the deadline of the adapter', async () => {
    let receivedSignal: AbortSignal | undefined;
    const hanging: Send = (_request, signal) => {
      receivedSignal = signal;
      return new Promise(() => undefined);
    };
    const soon = { timeouts: { ...timeouts, totalMs: 5 }, replyBytes: 10 };
    await assert.rejects(open(hanging, soon).send(request, never()), problem('upstream_timeout'));
    assert.equal(receivedSignal?.aborted, true);
  });

  it('ends the call when the caller disconnects', async () => {
    const caller = new AbortController();
    const hanging: Send = () => new Promise(() => undefined);
    const call = open(hanging).send(request, caller.signal);
    caller.abort();
    await assert.rejects(call, problem('caller_gone'));
    await assert.rejects(open(answering(bytes('ok'))).send(request, caller.signal), problem('caller_gone'));
  });

  it('passes on a Problem of the plugin and hides every other error', async () => {
    const refusing: Send = () => Promise.reject(new Problem('upstream_auth', 'logged out'));
    await assert.rejects(open(refusing).send(request, never()), problem('upstream_auth'));
    for (const thrower of [() => Promise.reject(new Error('hunter2')), () => assert.fail('hunter2')])
      await assert.rejects(
        open(thrower).send(request, never()),
        (error) => problem('upstream_unreachable')(error) && !String(error).includes('hunter2'),
      );
  });

  it('rejects a value that is not a reply', async () => {
    const wrong = [undefined, null, 1, {}, { ...bytes(''), status: 99 }, { ...bytes(''), body: 'text' }];
    for (const reply of wrong)
      await assert.rejects(open(answering(reply)).send(request, never()), problem('upstream_unreachable'));
  });

  it('rejects a reply above the limit of the adapter', async () => {
    const large = open(answering(bytes('eleven byte')));
    await assert.rejects(large.send(request, never()), problem('upstream_too_large'));
  });

  it('lets the plugin send through the host upstream (bug: the trace headers were rejected)', async () => {
    const trace = {
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      tracestate: 'a=1',
    };
    const span: CallSpan = { headers: () => trace, request: () => ({ headers: trace }) };
    const sent: unknown[] = [];
    const host = sendOf({
      send: (passed, _signal, on) => {
        sent.push(passed.headers, on?.request({ method: 'GET', url: 'http://a.test/' }).headers);
        return Promise.resolve(bytes('ok'));
      },
    });
    await open((passed, signal) => host(passed, signal)).send(
      { ...request, headers: { a: 'b' } },
      never(),
      span,
    );
    await host(request, never());
    assert.deepEqual(sent, [{ a: 'b' }, trace, {}, undefined]);
  });

  it('reports the connection of the plugin, also as the result of a probe', async () => {
    const offline = { state: 'OFFLINE', since: 7, reason: 'logged out' } as const;
    const adapter: Partial<Adapter> = { connection: () => offline };
    const own = open(answering(bytes('')), undefined, adapter);
    await assert.rejects(async () => own.probe?.(never()), /logged out/);
    assert.deepEqual(ownConnection({ translate, send: answering(1), ...adapter })?.(), offline);
  });

  it('reports an unknown connection when the plugin throws', () => {
    const connection = () => assert.fail('no idea');
    assert.equal(ownConnection({ translate, send: answering(1), connection })?.().state, 'UNKNOWN');
    assert.equal(ownConnection({ translate, connection }), undefined);
  });
});
