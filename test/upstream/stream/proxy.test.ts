import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { StreamReply, StreamRequest } from '../../../src/core/stream.js';
import { openUpstream } from '../../../src/upstream/open-upstream.js';
import { adapterSettings, type WrittenAdapter } from '../../support/adapter-settings.js';
import { column } from '../../support/columns.js';
import { problem } from '../../support/failing.js';
import {
  answer,
  answerAndClose,
  onRequest,
  type Script,
  startHostileUpstream,
} from '../../support/hostile-upstream.js';
import { openedBySuite } from '../../support/opened.js';
import {
  startStreamOrchestrator,
  type StreamOrchestrator,
  valuesOf,
} from '../../support/stream-orchestrator.js';
import { bodyOf, streamRequest } from '../../support/stream-request.js';
import { until } from '../../support/until.js';
import { neverAborted } from '../upstreams.js';

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\n';

/** Numbers in titles are issues of http-proxy-middleware; cases are its observed faults. */
describe('the pass-through stream', () => {
  let orchestrator: StreamOrchestrator;
  const opened = openedBySuite();
  before(async () => {
    const deals: Parameters<typeof startStreamOrchestrator>[0] = {
      silent: (req) => req.resume(),
      begins: (_req, res) => res.write('a beginning'),
      unchanged: (_req, res) => res.writeHead(304, { etag: '"1"' }).end(),
      nothing: (_req, res) => res.writeHead(204).end(),
      wordy: (_req, res) =>
        res.writeHead(200, [...Array.from({ length: 1_500 }, () => ['x', 'y']), ['z', 'last']].flat()).end(),
      large: (_req, res) => res.writeHead(200, { 'content-length': 3_000_000 }).end(Buffer.alloc(3_000_000)),
    };
    orchestrator = await opened(startStreamOrchestrator(deals));
  });

  /** Returns a stream through an adapter whose orchestrator behaves like this on each connection. */
  const openTo = async (script: Script, more: WrittenAdapter = {}) => {
    const hostile = await opened(startHostileUpstream([script]));
    return { pass: open({ baseUrl: hostile.origin, ...more }), hostile };
  };

  function open(
    written: WrittenAdapter = {},
  ): (request: StreamRequest, signal?: AbortSignal) => Promise<StreamReply> {
    const settings = adapterSettings({ baseUrl: orchestrator.url, ...written });
    const upstream = openUpstream(settings, {}, { drainMs: 0 });
    void opened(upstream);
    return (request, signal = neverAborted()) => upstream.pass!(request, signal);
  }

  it('prints no deprecation warning of Node.js 22 and later (bug: DEP0060 in the log at the first stream)', () => {
    const proxy = new URL('../../../src/upstream/stream/proxy.js', import.meta.url).href;
    const script = `
      process.on('warning', ({ code }) => console.log(code));
      const { createStreamProxy } = await import('${proxy}');
      createStreamProxy('${orchestrator.url}', undefined)({ url: '/', headers: {}, pipe: () => {}, on: () => {}, fail: console.log });
      setImmediate(() => process.exit());`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    assert.equal(output, '');
  });

  it('reuses connections (http-proxy-middleware, case A: a connection for each request)', async () => {
    const pass = open();
    const before = orchestrator.connections().ever;
    for (let turn = 0; turn < 20; turn += 1)
      assert.equal(await bodyOf(await pass(streamRequest({ method: 'POST', text: 'hi' }))), 'hi');
    assert.equal(orchestrator.connections().ever - before, 1);
  });

  it('serves all requests over few connections (http-proxy-middleware, case C: requests hang)', async () => {
    const pass = open({ queue: { concurrent: 4 } });
    const before = orchestrator.connections().ever;
    const all = Array.from({ length: 200 }, async (_, at) =>
      bodyOf(await pass(streamRequest({ method: 'POST', text: `body ${at}` }))),
    );
    assert.deepEqual(
      await Promise.all(all),
      all.map((_, at) => `body ${at}`),
    );
    assert.ok(orchestrator.connections().ever - before <= 8);
  });

  it('closes all upstream requests when callers leave before the reply (http-proxy-middleware 782)', async () => {
    const pass = open();
    const callers = Array.from({ length: 20 }, () => new AbortController());
    const before = orchestrator.arrivals.length;
    const calls = callers.map(({ signal }) => pass(streamRequest({ path: '/silent' }), signal));
    await until(() => orchestrator.arrivals.length === before + 20);
    for (const caller of callers) caller.abort(new Error('left'));
    for (const call of calls) await assert.rejects(call, /left/);
    await until(() => orchestrator.arrivals.slice(before).every(({ isGone }) => isGone));
  });

  it('closes all upstream requests when callers leave during the reply', async () => {
    const pass = open();
    const before = orchestrator.arrivals.length;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => pass(streamRequest({ path: '/begins' }))),
    );
    for (const { body } of replies) body.destroy();
    await until(() => orchestrator.arrivals.slice(before).every(({ isGone }) => isGone));
  });

  it('passes on a reply in pieces, no faster than the caller reads (http-proxy-middleware 929)', async () => {
    const { body } = await open()(streamRequest({ path: '/large' }));
    let [most, bytes] = [0, 0];
    for await (const chunk of body) {
      const { length } = chunk as Buffer;
      bytes += length;
      most = Math.max(most, length + (body as unknown as { readableLength: number }).readableLength);
    }
    assert.equal(bytes, 3_000_000);
    assert.ok(most <= 512 * 1024, `${most} bytes at a time`);
  });

  it('passes on 204 and 304 (http-proxy-middleware 643 and 658: they crash)', async () => {
    const pass = open();
    for (const [path, status] of [
      ['/nothing', 204],
      ['/unchanged', 304],
    ] as const) {
      const reply = await pass(streamRequest({ path }));
      assert.deepEqual([reply.status, await bodyOf(reply)], [status, '']);
    }
  });

  it('passes on all header lines after the thousandth, which Node drops by default', async () => {
    const pass = open({ replyHeaders: ['X', 'z'] });
    const { headers, body } = await pass(streamRequest({ path: '/wordy' }));
    body.resume();
    assert.equal(headers.filter(([name]) => name === 'x').length, 1_500);
    assert.ok(headers.some(([name]) => name === 'z'));
  });

  it('reports errors as Problems without the host and the path', async () => {
    const pass = open({ baseUrl: 'http://127.0.0.1:1/inner' });
    await assert.rejects(pass(streamRequest({ path: '/hidden' })), (error: Error) => {
      assert.doesNotMatch(error.message, /127|inner|hidden/);
      return problem('upstream_unreachable')(error);
    });
  });

  for (const method of ['DELETE', 'OPTIONS'])
    it(`sends a chunked ${method} as one request, so that its body does not become the next request`, async () => {
      const before = orchestrator.arrivals.length;
      const smuggled = 'GET /smuggled HTTP/1.1\r\nhost: a\r\n\r\n';
      const reply = await open()(streamRequest({ method, path: '/echo', chunks: [smuggled] }));
      assert.equal(await bodyOf(reply), smuggled);
      assert.deepEqual(column(orchestrator.arrivals.slice(before), 'target'), ['/echo']);
      const { rawHeaders } = orchestrator.arrivals.at(-1)!;
      assert.deepEqual(valuesOf(rawHeaders, 'transfer-encoding'), ['chunked']);
      assert.deepEqual(valuesOf(rawHeaders, 'content-length'), []);
    });

  for (const [title, path, target = path] of [
    ['the path unchanged below the base URL', '/a//b;c=1,2/http:/d%2Fe%20f?u=http://g//h'],
    [
      'characters of a query that a URL cannot carry encoded (bug: invalid_path)',
      '/t?q=a^b|"c"[0]{d}<`>',
      '/t?q=a%5Eb%7C%22c%22%5B0%5D%7Bd%7D%3C%60%3E',
    ],
  ] as const)
    it(`sends ${title}`, async () => {
      await bodyOf(await open({ baseUrl: `${orchestrator.url}/base` })(streamRequest({ path })));
      assert.equal(orchestrator.arrivals.at(-1)!.target, `/base${target}`);
    });

  it('refuses a path that leaves the base URL, and sends nothing', async () => {
    const before = orchestrator.arrivals.length;
    await assert.rejects(open()(streamRequest({ path: '/%2e%2e/admin' })), problem('invalid_path'));
    assert.equal(orchestrator.arrivals.length, before);
  });

  it('refuses a protocol change that was not requested, and one without a valid WebSocket handshake', async () => {
    const unasked = await openTo(answer(`${SWITCHING}upgrade: x\r\n\r\nanything`));
    await assert.rejects(unasked.pass(streamRequest()), problem('upstream_bad_reply'));
    const { pass } = await openTo(answer(`${SWITCHING}upgrade: websocket\r\n\r\n`));
    const headers = [['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ==']] as const;
    await assert.rejects(pass(streamRequest({ headers, isUpgrade: true })), problem('upstream_bad_reply'));
  });

  it('does not retry a sent request when the orchestrator closes without a reply', async () => {
    const destroy = onRequest((socket) => socket.destroy());
    const { pass, hostile } = await openTo(destroy, { retry: { attempts: 5 } });
    const request = streamRequest({ method: 'POST', text: 'once' });
    await assert.rejects(pass(request), problem('upstream_unreachable'));
    assert.equal(hostile.connections(), 1);
  });

  it('ends with an error when the reply ends early', async () => {
    const { pass } = await openTo(answerAndClose('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'));
    await assert.rejects(bodyOf(await pass(streamRequest())));
  });

  for (const [what, bytes] of [
    ['bytes that are not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['a header without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`],
  ] as const)
    it(`reports a reply with ${what} as upstream_bad_reply, without its bytes`, async () => {
      const { pass } = await openTo(answer(bytes));
      await assert.rejects(pass(streamRequest()), (error: Error) => {
        assert.doesNotMatch(error.message, /SSH|yyy/);
        return problem('upstream_bad_reply')(error);
      });
    });
});
