import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { HttpRequest } from '../../src/core/http.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { column } from '../support/columns.js';
import { problem } from '../support/failing.js';
import {
  answer,
  correct,
  onRequest,
  type Script,
  startHostileUpstream,
} from '../support/hostile-upstream.js';
import { listenOnLoopback } from '../support/loopback.js';
import { openedBySuite, openedByTest } from '../support/opened.js';

const LIMITS = { totalMs: 5_000, replyBytes: 100_000 };
const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: {} });

describe('the HTTP client', () => {
  const client = openHttpClient({ connections: 2 });
  after(() => client.close());

  describe('with a server', () => {
    const requests: (Pick<IncomingMessage, 'method' | 'headers'> & { target: unknown; body: string })[] = [];
    const replies: ((response: ServerResponse) => void)[] = [];
    const server = createServer((request, response) => {
      const { method, url: target, headers } = request;
      void text(request).then((body) => {
        requests.push({ method, target, headers, body });
        const reply = replies.shift() ?? (() => response.end('hello'));
        reply(response);
      });
    });
    let origin = '';
    const opened = openedBySuite();
    before(async () => {
      origin = `http://${(await opened(listenOnLoopback(server))).host}`;
    });
    beforeEach(() => {
      requests.length = 0;
    });

    it('sends the method, the exact target, the headers and the body, and nothing else', async () => {
      const body = Buffer.from('{"ä":1}');
      const url = `${origin}/a%2Fb;c=d/?x=%27&y`;
      const headers = { accept: 'a/b', 'Content-Type': 'c/d' };
      const reply = await client.send({ method: 'PATCH', url, headers, body }, LIMITS);
      assert.equal(reply.status, 200);
      assert.equal(reply.body.toString(), 'hello');
      assert.deepEqual(requests, [
        {
          method: 'PATCH',
          target: '/a%2Fb;c=d/?x=%27&y',
          headers: {
            host: origin.slice('http://'.length),
            connection: 'keep-alive',
            accept: 'a/b',
            'content-type': 'c/d',
            'accept-encoding': 'identity',
            'content-length': '8',
          },
          body: '{"ä":1}',
        },
      ]);
    });

    it('keeps the accept-encoding of the request and an empty query', async () => {
      await client.send({ ...get(`${origin}/a?`), headers: { 'Accept-Encoding': 'br' } }, LIMITS);
      assert.deepEqual([requests[0]?.headers['accept-encoding'], requests[0]?.target], ['br', '/a?']);
    });

    it('sends content-length 0 with a POST without a body', async () => {
      await client.send({ ...get(origin), method: 'POST' }, LIMITS);
      assert.equal(requests[0]?.headers['content-length'], '0');
    });

    for (const [name, coding, encode] of [
      ['gzip', 'gzip', gzipSync],
      ['gzip by its old name', 'X-GZIP', gzipSync],
      ['deflate', 'deflate', deflateSync],
      ['deflate without its head', 'deflate', deflateRawSync],
      ['brotli', 'br', brotliCompressSync],
      ['brotli beside identity', 'identity, br', brotliCompressSync],
    ] as const) {
      it(`decodes ${name} and removes content-encoding and content-length`, async () => {
        replies.push((response) => {
          const body = encode('a'.repeat(LIMITS.replyBytes));
          response.writeHead(200, { 'content-encoding': coding, 'content-length': body.length, etag: '"x"' });
          response.end(body);
        });
        const reply = await client.send(get(origin), LIMITS);
        assert.equal(reply.body.toString(), 'a'.repeat(LIMITS.replyBytes));
        const { etag, 'content-encoding': coded, 'content-length': length } = reply.headers;
        assert.deepEqual([etag, coded, length], ['"x"', undefined, undefined]);
        assert.equal(Object.getPrototypeOf(reply.headers), null);
      });
    }

    it('accepts a reply of exactly the limit, chunked or not, and refuses one more byte', async () => {
      for (const headers of [{}, { 'content-length': LIMITS.replyBytes }]) {
        replies.push((response) =>
          response.writeHead(200, headers).end(Buffer.alloc(LIMITS.replyBytes, 'x')),
        );
        const reply = await client.send(get(origin), LIMITS);
        assert.deepEqual(reply.body, Buffer.alloc(LIMITS.replyBytes, 'x'));
      }
      replies.push((response) => response.end(Buffer.alloc(LIMITS.replyBytes + 1)));
      await assert.rejects(client.send(get(origin), LIMITS), problem('upstream_too_large', /100000 bytes/));
    });

    it('returns a redirect as the reply', async () => {
      replies.push((response) => response.writeHead(307, { location: '/elsewhere' }).end());
      const reply = await client.send(get(origin), LIMITS);
      assert.deepEqual([reply.status, reply.headers['location'], requests.length], [307, '/elsewhere', 1]);
    });

    it('returns an empty body with a content coding unchanged', async () => {
      replies.push((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end());
      const reply = await client.send({ ...get(origin), method: 'HEAD' }, LIMITS);
      assert.equal(reply.body.length, 0);
    });

    it('opens at most the configured number of connections, and returns the correct reply to each call', async () => {
      const ports = new Set<number | undefined>();
      const targets = Array.from({ length: 40 }, (_, at) => `/${at}`);
      const calls = targets.map((target) => {
        replies.push((response) => {
          ports.add(response.socket?.remotePort);
          response.end(response.req.url);
        });
        return client.send(get(origin + target), LIMITS);
      });
      assert.deepEqual(column(await Promise.all(calls), 'body').map(String), targets);
      assert.ok(ports.size <= 2, `${ports.size} connections`);
    });

    it('leaves no listener on the signal of the caller', async () => {
      const caller = new AbortController();
      await client.send(get(origin), LIMITS, caller.signal);
      replies.push((response) => response.destroy());
      await assert.rejects(client.send({ ...get(origin), method: 'POST' }, LIMITS, caller.signal));
      assert.equal(getEventListeners(caller.signal, 'abort').length, 0);
    });
  });

  const opened = openedByTest();
  const start = (script: Script) => opened(startHostileUpstream([script]));
  const EMPTY = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

  it('never repeats a POST when the connection breaks, reused or new', async () => {
    let heads = 0;
    const breaking = onRequest((socket) => {
      heads += 1;
      if (heads % 2 === 1) socket.write(EMPTY);
      else socket.resetAndDestroy();
    });
    const { origin } = await start(breaking);
    const post = { method: 'POST', url: origin, headers: {}, body: Buffer.from('x') };
    for (let round = 1; round <= 10; round += 1) {
      await client.send(post, LIMITS);
      await assert.rejects(client.send(post, LIMITS), problem('upstream_unreachable', /without an answer/));
      assert.equal(heads, 2 * round);
    }
  });

  it('destroys the connection at once when the caller leaves', async () => {
    const caller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const leaving = onRequest((socket) => {
      closed = once(socket, 'end');
      caller.abort();
    });
    const { origin } = await start(leaving);
    const call = client.send(get(origin), { ...LIMITS, totalMs: 60_000 }, caller.signal);
    await assert.rejects(call, problem('caller_gone', /left/));
    await closed;
  });

  it('sends nothing for a caller that has already left', async () => {
    const upstream = await start(correct);
    const call = client.send(get(upstream.origin), LIMITS, AbortSignal.abort());
    await assert.rejects(call, problem('caller_gone', /left/));
    assert.equal(upstream.connections(), 0);
  });

  it('never sends a request whose deadline has passed while it waited for a connection', async () => {
    let release: (() => void) | undefined;
    const waiting = onRequest((socket) => {
      release = () => socket.write(EMPTY);
    });
    const { origin, ...upstream } = await start(waiting);
    const single = openHttpClient({ connections: 1 });
    const first = single.send(get(`${origin}/first`), LIMITS);
    const second = single.send(get(`${origin}/second`), { ...LIMITS, totalMs: 100 });
    await assert.rejects(second, problem('upstream_timeout', /within 100 ms: still connecting/));
    release?.();
    await first;
    await single.close();
    assert.doesNotMatch(upstream.received().join(), /second/);
  });

  it('names the timeout that has expired', async () => {
    const silent = await start(() => undefined);
    const slow = await start(answer('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhe'));
    const hasty = await opened(openHttpClient({ connectMs: 50 }));
    const secured = silent.origin.replace('http:', 'https:');
    for (const [one, url, limits, message] of [
      [client, silent.origin, { firstByteMs: 50 }, /did not begin its reply within 50 ms/],
      [client, silent.origin, { totalMs: 50 }, /within 50 ms: still waiting for the reply/],
      [hasty, secured, {}, /no connection to the target within 50 ms/],
      [client, slow.origin, { totalMs: 200 }, /within 200 ms: still reading the reply/],
    ] as const) {
      const call = one.send(get(url), { ...LIMITS, ...limits });
      await assert.rejects(call, problem('upstream_timeout', message));
    }
  });

  it('names the reason why a target is unreachable', async () => {
    const upstream = await startHostileUpstream([correct]);
    await upstream.close();
    for (const [url, reason] of [
      [upstream.origin, /refuses connections/],
      ['http://no-such-host.invalid/', /host name is not known|name server does not answer/],
    ] as const)
      await assert.rejects(client.send(get(url), LIMITS), problem('upstream_unreachable', reason));
  });
});
