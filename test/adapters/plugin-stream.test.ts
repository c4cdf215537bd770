import assert from 'node:assert/strict';
import { pluginStreamsOf } from '../../src/adapters/plugin-stream.js';
import type { Adapter, AdapterStream, OutboundRequest } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import { problem } from '../support/failing.js';
import { bodyOf, streamRequest } from '../support/stream-request.js';
import { until } from '../support/until.js';

type Open = NonNullable<Adapter['openStream']>;

const translate: Adapter['translate'] = ({ method, path }) => [{ method, path, headers: {} }];
const never = (): AbortSignal => new AbortController().signal;

function streamsWith(openStream: Open, totalMs = 60_000) {
  const streams = pluginStreamsOf({ translate, openStream }, { totalMs });
  assert.ok(streams);
  return streams;
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<string, void> {
  for (const text of texts) yield await Promise.resolve(text);
}

const replying = (stream: unknown): Open => (() => Promise.resolve(stream)) as Open;
const stream = (body: AdapterStream['body'], headers = {}): AdapterStream => ({ status: 200, headers, body });
/** Waits until the signal fires, as a plugin waits for an event. */
const silent = (signal: AbortSignal): AdapterStream =>
  stream(
    (async function* () {
      yield 'first';
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true });
      });
    })(),
  );

describe('the streams of a plugin', () => {
  it('are absent if the plugin has none', () => {
    assert.equal(pluginStreamsOf({ translate }, { totalMs: 1 }), undefined);
  });

  it('return status, headers and body, and give the plugin the accept header alone', async () => {
    const seen: OutboundRequest[] = [];
    const streams = streamsWith((request) => {
      seen.push(request);
      return Promise.resolve(stream(pieces('a', 'b'), { 'content-type': 'text/event-stream' }));
    });
    const headers = [
      ['Authorization', 'Bearer token'],
      ['Accept', 'text/event-stream'],
    ] as const;
    const reply = await streams.pass(streamRequest({ path: '/streams/a?b=c', headers }), never());
    assert.deepEqual([reply.status, reply.headers], [200, [['content-type', 'text/event-stream']]]);
    assert.equal(await bodyOf(reply), 'ab');
    assert.deepEqual(seen, [
      { method: 'GET', path: '/streams/a?b=c', headers: { accept: 'text/event-stream' } },
    ]);
  });

  it('finding N3: return no header that could steer a reverse proxy or a browser', async () => {
    const headers = { 'X-Accel-Redirect': '/a', 'Set-Cookie': 'a=b', 'X-Session': '1', ETag: '"1"' };
    const adapter = { translate, openStream: replying(stream(pieces(), headers)) };
    const streams = pluginStreamsOf(adapter, { totalMs: 60_000, replyHeaders: ['x-session'] });
    const reply = await streams?.pass(streamRequest(), never());
    assert.deepEqual(reply?.headers, [
      ['X-Session', '1'],
      ['ETag', '"1"'],
    ]);
  });

  it('fire the signal of the plugin when the caller leaves, although the plugin waits for an event', async () => {
    let received: AbortSignal | undefined;
    const streams = streamsWith((_request, signal) => Promise.resolve(silent((received = signal))));
    const { body } = await streams.pass(streamRequest(), never());
    body.on('data', () => {
      body.destroy();
    });
    await until(() => received?.aborted === true);
  });

  it('fire it as well when the body ends, and when the adapter is closed', async () => {
    const received: AbortSignal[] = [];
    const streams = streamsWith((_request, signal) => {
      received.push(signal);
      return Promise.resolve(received.length === 1 ? stream(pieces('a')) : silent(signal));
    });
    assert.equal(await bodyOf(await streams.pass(streamRequest(), never())), 'a');
    await until(() => received[0]?.aborted === true);
    const { body } = await streams.pass(streamRequest(), never());
    const failed = new Promise((resolve) => body.on('error', resolve));
    streams.close();
    problem('adapter_unavailable')(await failed);
    assert.equal(received[1]?.aborted, true);
  });

  it('ask for the next piece only when there is room', async () => {
    let count = 0;
    const streams = streamsWith(() =>
      Promise.resolve(
        stream(
          (async function* () {
            for (; count < 1000; count += 1) yield await Promise.resolve('x'.repeat(10_000));
          })(),
        ),
      ),
    );
    const { body } = await streams.pass(streamRequest(), never());
    body.resume();
    body.pause();
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(count < 20, `${count} pieces`);
    body.destroy();
  });

  it('have the time limit of the adapter until they are open, and end when the caller leaves before', async () => {
    const signals: AbortSignal[] = [];
    const hanging: Open = (_request, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    await assert.rejects(streamsWith(hanging, 1).pass(streamRequest(), never()), problem('upstream_timeout'));
    const caller = new AbortController();
    const opening = streamsWith(hanging).pass(streamRequest(), caller.signal);
    caller.abort();
    await assert.rejects(opening, problem('caller_gone'));
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
  });

  it('keep a Problem, and hide every other error', async () => {
    const refused = streamsWith(() => Promise.reject(new Problem('upstream_busy', 'enough')));
    await assert.rejects(refused.pass(streamRequest(), never()), problem('upstream_busy'));
    const broken = streamsWith(() => assert.fail('hunter2'));
    await assert.rejects(
      broken.pass(streamRequest(), never()),
      problem('upstream_unreachable', /^(?!.*hunter2)/),
    );
    const failing = streamsWith(() =>
      Promise.resolve(
        stream({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('x')) }) }),
      ),
    );
    await assert.rejects(bodyOf(await failing.pass(streamRequest(), never())), problem('upstream_bad_reply'));
  });

  it('are refused with a body, as a WebSocket, and for something that is no stream', async () => {
    const fine = streamsWith(() => Promise.resolve(stream(pieces('a'))));
    for (const request of [streamRequest({ text: 'a' }), streamRequest({ isUpgrade: true })])
      await assert.rejects(fine.pass(request, never()), problem('proxy_not_supported'));
    const faulty = [
      undefined,
      {},
      { ...stream(pieces()), status: 101 },
      stream(pieces(), { connection: 'close' }),
      stream(pieces(), { 'x-a': 'b\r\nc: d' }),
      { status: 200, headers: {}, body: 'text' },
    ];
    for (const wrong of faulty)
      await assert.rejects(
        streamsWith(replying(wrong)).pass(streamRequest(), never()),
        problem('upstream_unreachable'),
      );
  });
});
