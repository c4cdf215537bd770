import assert from 'node:assert/strict';
import { once } from 'node:events';
import { pluginStreamsOf } from '../../src/adapters/plugin-stream.js';
import type { Adapter, AdapterStream, OutboundRequest } from '../../src/core/adapter.js';
import { problem } from '../support/failing.js';
import { bodyOf, streamRequest } from '../support/stream-request.js';
import { until } from '../support/until.js';

type Open = NonNullable<Adapter['openStream']>;

const translate: Adapter['translate'] = ({ method, path }) => [{ method, path, headers: {} }];
const never = (): AbortSignal => new AbortController().signal;

function streamsWith(openStream: Open) {
  const streams = pluginStreamsOf({ translate, openStream }, { totalMs: 60_000 });
  assert.ok(streams);
  return streams;
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<string, void> {
  for (const text of texts) yield await Promise.resolve(text);
}

const stream = (body: AdapterStream['body'], headers = {}): AdapterStream => ({ status: 200, headers, body });
/** Returns streams whose plugin opens this one, or what it opens instead of a stream. */
const streamsOf = (opened: unknown) => streamsWith((() => Promise.resolve(opened)) as Open);
/** Waits until the signal fires, as a plugin waits for an event. */
async function* silentPieces(signal: AbortSignal): AsyncGenerator<string, void> {
  yield 'first';
  await once(signal, 'abort');
}

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
    const openStream: Open = () => Promise.resolve(stream(pieces(), headers));
    const terms = { totalMs: 60_000, replyHeaders: ['x-session'] };
    const streams = pluginStreamsOf({ translate, openStream }, terms);
    const reply = await streams?.pass(streamRequest(), never());
    assert.deepEqual(reply?.headers, [
      ['X-Session', '1'],
      ['ETag', '"1"'],
    ]);
  });

  it('fire the signal of the plugin, which waits for an event, when the caller leaves and when the adapter is closed', async () => {
    const received: AbortSignal[] = [];
    const streams = streamsWith((_request, signal) => {
      received.push(signal);
      return Promise.resolve(stream(silentPieces(signal)));
    });
    const { body: left } = await streams.pass(streamRequest(), never());
    left.on('data', () => {
      left.destroy();
    });
    await until(() => received[0]?.aborted === true);
    const { body } = await streams.pass(streamRequest(), never());
    const failed = new Promise((resolve) => body.on('error', resolve));
    streams.close();
    problem('adapter_unavailable')(await failed);
    assert.equal(received[1]?.aborted, true);
  });

  it('fire it as well when the body ends', async () => {
    let received: AbortSignal | undefined;
    const streams = streamsWith((_request, signal) => {
      received = signal;
      return Promise.resolve(stream(pieces('a')));
    });
    assert.equal(await bodyOf(await streams.pass(streamRequest(), never())), 'a');
    await until(() => received?.aborted === true);
  });

  it('ask for the next piece only when there is room', async () => {
    let count = 0;
    async function* many() {
      for (; count < 1000; count += 1) yield await Promise.resolve('x'.repeat(10_000));
    }
    const { body } = await streamsOf(stream(many())).pass(streamRequest(), never());
    body.resume();
    body.pause();
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(count < 20, `${count} pieces`);
    body.destroy();
  });

  it('fail as a bad reply if a piece fails', async () => {
    const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('x')) }) };
    const reply = await streamsOf(stream(failing)).pass(streamRequest(), never());
    await assert.rejects(bodyOf(reply), problem('upstream_bad_reply'));
  });

  it('are refused with a body, as a WebSocket, and for something that is no stream', async () => {
    const fine = streamsOf(stream(pieces('a')));
    for (const request of [streamRequest({ text: 'a' }), streamRequest({ isUpgrade: true })])
      await assert.rejects(fine.pass(request, never()), problem('proxy_not_supported'));
    for (const wrong of [
      undefined,
      {},
      { ...stream(pieces()), status: 101 },
      stream(pieces(), { connection: 'close' }),
      stream(pieces(), { 'x-a': 'b\r\nc: d' }),
      { ...stream(pieces()), body: 'text' },
    ])
      await assert.rejects(streamsOf(wrong).pass(streamRequest(), never()), problem('upstream_unreachable'));
  });
});
