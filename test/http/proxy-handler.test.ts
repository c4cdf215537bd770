import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as requestOut, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { duplexPair, PassThrough, Readable } from 'node:stream';
import { Problem } from '../../src/core/problem.js';
import type { StreamReply } from '../../src/core/stream.js';
import { column, columns } from '../support/columns.js';
import { TOKENS } from '../support/http-server.js';
import { openedByTest } from '../support/opened.js';
import { rawExchange, rawPeer, sendRaw } from '../support/raw-http.js';
import { handshake, textFrame } from '../support/stream-orchestrator.js';
import { until } from '../support/until.js';
import { ADMIN, head, openStreamServer, replyWith, untilLeft } from './stream-server.js';

const GET = head('GET /proxy/a/x HTTP/1.1');

describe('the proxy handler', () => {
  const limits: (readonly number[])[] = [];
  // The limit of calls counts a stream until its end is reported, once. The servers are still open.
  afterEach(async () => {
    await until(() => limits.flat().every((ends) => ends === 1));
    limits.length = 0;
  });
  const opened = openedByTest();
  const openProxyServer = async (...input: Parameters<typeof openStreamServer>) => {
    const server = await opened(openStreamServer(...input));
    limits.push(server.ends);
    return server;
  };

  /** Opens a server whose orchestrator replies with this body, and sends a request. */
  const openReply = async (body: StreamReply['body'], options?: Parameters<typeof openStreamServer>[1]) => {
    const server = await openProxyServer(() => replyWith(body), options);
    return { ...server, peer: await sendRaw(server.port, GET) };
  };

  it('splits the target without decoding it', async () => {
    const { port, calls } = await openProxyServer(() => replyWith(Readable.from([])));
    for (const target of [
      '/proxy/a%20b/x//y?z=/proxy/c',
      '//proxy//c//d',
      '/proxy/e',
      '/proxy/f?g',
      'http://h/proxy/i/',
    ])
      await rawExchange(port, head(`GET ${target} HTTP/1.1`));
    assert.deepEqual(
      calls.map(({ adapterId, request: { path, mount } }) => [adapterId, path, mount]),
      [
        ['a b', '/x//y?z=/proxy/c', '/proxy/a%20b'],
        ['c', '//d', '/proxy/c'],
        ['e', '/', '/proxy/e'],
        ['f', '/?g', '/proxy/f'],
        ['i', '/', '/proxy/i'],
      ],
    );
  });

  for (const [what, message, status] of [
    ['no token', 'GET /proxy/a/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 401],
    [
      'an unauthorized role',
      `GET /proxy/a/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${TOKENS.reader}\r\n\r\n`,
      403,
    ],
    ['TRACE, which repeats credentials', head('TRACE /proxy/a/x HTTP/1.1'), 405],
    ['an unknown method', head('PROPFIND /proxy/a/x HTTP/1.1'), 405],
    ['a target that is not UTF-8', head('GET /proxy/a/%ff HTTP/1.1'), 400],
    ['a long target', head(`GET /proxy/a/${'x'.repeat(9000)} HTTP/1.1`), 414],
    [
      'two transfer codings',
      `${head('POST /proxy/a/x HTTP/1.1', 'Transfer-Encoding: gzip, chunked\r\n')}0\r\n\r\n`,
      400,
    ],
    ['a WebSocket with a body', handshake('/proxy/a/x', `${ADMIN}Content-Length: 5\r\n`), 400],
    ['a WebSocket by POST', handshake('/proxy/a/x', ADMIN).replace('GET', 'POST'), 400],
    ['another protocol', handshake('/proxy/a/x', ADMIN).replace('websocket', 'TLS/1.0'), 400],
  ] as const)
    // prettier-ignore
    it(`refuses ${what}, and calls no adapter`, async () => {
      const { port, calls } = await openProxyServer(() => replyWith(Readable.from([])));
      assert.match(await rawExchange(port, message), new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.equal(calls.length, 0);
    });

  it('appends one audit record at the start and one at the end, and logs the bytes', async () => {
    const { port, records, lines } = await openProxyServer(() =>
      replyWith(Readable.from([Buffer.from('hello')])),
    );
    await rawExchange(port, head('GET /proxy/core1/x?secret=1 HTTP/1.1'));
    await until(() => lines.some(({ message }) => message === 'request'));
    assert.deepEqual(columns(records, 'target', 'subject', 'status', 'outcome'), [
      ['/proxy/core1/x GET', 'ada', 0, 'began'],
      ['/proxy/core1/x GET', 'ada', 200, '200, 5 bytes'],
    ]);
    const { status, bytes, operation } = lines.find(({ message }) => message === 'request')!.fields;
    assert.deepEqual([status, bytes, operation], [200, 5, 'proxy.passThrough']);
  });

  it('calls no adapter when the audit trail is not writable', async () => {
    const { peer, calls } = await openReply(Readable.from([]), { writable: false });
    assert.match(await peer.closed(), /^HTTP\/1\.1 503 .*audit_unavailable/s);
    assert.equal(calls.length, 0);
  });

  it('answers a failure before the head as a problem document, and records it', async () => {
    const { port, records } = await openProxyServer(() => {
      throw new Problem('upstream_timeout', 'too late');
    });
    const post = head('POST /proxy/a/x HTTP/1.1', 'Content-Length: 5\r\n');
    const answer = await rawExchange(port, `${post}hello`);
    assert.match(answer, /^HTTP\/1\.1 504 .*application\/problem\+json.*too late/s);
    assert.deepEqual(column(records, 'outcome'), ['began', 'upstream_timeout']);
  });

  it('omits the last chunk of a reply that breaks off', async () => {
    const body = new PassThrough();
    const { peer, records } = await openReply(body);
    body.write('half');
    await peer.until(/half/);
    body.destroy(new Error('gone'));
    assert.doesNotMatch(await peer.closed(), /\r\n0\r\n/);
    await until(() => records.length === 2);
    assert.equal(records[1]!.outcome, '200, 4 bytes, upstream_bad_reply');
  });

  it('resets the connection of an HTTP/1.0 client when the reply breaks off', async () => {
    const body = new PassThrough();
    const { port } = await openProxyServer(() => replyWith(body));
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(head('GET /proxy/a/x HTTP/1.0'));
    body.write('half');
    await once(socket, 'data');
    body.destroy(new Error('gone'));
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNRESET');
  });

  it('answers an invalid head with upstream_bad_reply, and destroys the body', async () => {
    const body = new PassThrough();
    const { port, records } = await openProxyServer(() => replyWith(body, { status: 42 }));
    assert.match(await rawExchange(port, GET), /^HTTP\/1\.1 502 /);
    assert.deepEqual([body.destroyed, records[1]!.outcome], [true, 'upstream_bad_reply']);
  });

  it('aborts the upstream request when the caller leaves, before or after the head', async () => {
    const body = new PassThrough();
    const { port, calls, records, ends } = await openProxyServer((call) =>
      call.request.path === '/never' ? untilLeft(call) : replyWith(body),
    );
    const first = await sendRaw(port, head('GET /proxy/a/never HTTP/1.1'));
    await until(() => calls.length === 1);
    first.destroy();
    await until(() => calls[0]!.signal.aborted);
    const second = await sendRaw(port, GET);
    await second.until(/200 OK/);
    await until(() => ends[0] === 1);
    assert.deepEqual(ends, [1, 0]);
    second.destroy();
    await until(() => body.destroyed);
    await until(() => records.length === 4);
    assert.deepEqual([records[1]!.status, records[3]!.status], [499, 499]);
  });

  it('does not count a stream as in flight after its head', async () => {
    const { port, inFlight } = await openProxyServer(() => replyWith(new PassThrough()));
    const peers = [];
    for (let time = 0; time < 3; time += 1) {
      const peer = await sendRaw(port, GET);
      await peer.until(/200 OK/);
      peers.push(peer);
    }
    assert.deepEqual(inFlight, [1, 1, 1]);
    for (const peer of peers) peer.destroy();
  });

  it('detects that a WebSocket caller leaves while the upgrade is pending', async () => {
    const { port, calls } = await openProxyServer(untilLeft);
    const peer = await sendRaw(port, handshake('/proxy/a/x', ADMIN));
    await until(() => calls.length === 1);
    peer.end();
    await until(() => calls[0]!.signal.aborted);
  });

  it('aborts a reply that the caller does not read', async () => {
    const endless = new Readable({ read() { this.push(Buffer.alloc(65_536)); } }); // prettier-ignore
    const { peer } = await openReply(endless, { stallMs: 100 });
    await peer.until(/200 OK/);
    peer.pause();
    await until(() => endless.destroyed);
    peer.destroy();
  });

  it('does not abort a reply that is idle for longer than the stall limit', async () => {
    const body = new PassThrough();
    const { peer } = await openReply(body, { stallMs: 20 });
    await peer.until(/200 OK/);
    const end = Date.now() + 80;
    await until(() => Date.now() > end);
    body.end('late');
    assert.match(await peer.closed(), /late\r\n0\r\n/);
  });

  it('sends 100 Continue when the body is read', async () => {
    const { port } = await openProxyServer(({ request }) =>
      replyWith(request.body!.take() as StreamReply['body']),
    );
    const expecting = 'Content-Length: 5\r\nExpect: 100-continue\r\n';
    const peer = await sendRaw(port, head('PUT /proxy/a/x HTTP/1.1', expecting));
    await peer.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    peer.send('hello');
    assert.match(await peer.closed(), /HTTP\/1\.1 200 OK.*hello/s);
  });

  it('returns an early reply to a caller that is still sending', async () => {
    const { port } = await openProxyServer(() =>
      replyWith(Readable.from([Buffer.from('enough')]), { headers: [['content-length', '6']] }),
    );
    const peer = await sendRaw(port, head('POST /proxy/a/x HTTP/1.1', 'Content-Length: 600000\r\n'));
    await peer.until(/enough$/);
    peer.send(Buffer.alloc(600_000));
    await peer.closed();
  });

  it('answers HEAD without a body and with the length', async () => {
    const { port } = await openProxyServer(() =>
      replyWith(Readable.from([]), { headers: [['content-length', '1000']] }),
    );
    const answer = await rawExchange(port, head('HEAD /proxy/a/x HTTP/1.1'));
    assert.match(answer, /content-length: 1000\r\n(?:.+\r\n)*\r\n$/);
  });

  it('keeps the connection for the next request after a complete exchange', async () => {
    const { port } = await openProxyServer(({ request }) =>
      replyWith(Readable.from([Buffer.from(request.path)])),
    );
    const peer = await rawPeer(port);
    const ask = (path: string): void => {
      peer.send(`GET /proxy/a${path} HTTP/1.1\r\nHost: a\r\n${ADMIN}\r\n`);
    };
    ask('/first');
    await peer.until(/first\r\n0\r\n\r\n$/);
    ask('/second');
    await peer.until(/second\r\n0\r\n\r\n$/);
    peer.destroy();
  });

  it('lets reverse proxies forward events at once, and decides so itself', async () => {
    const types = ['text/event-stream', 'Text/Event-Stream;charset=utf-8', 'text/plain'];
    const { port } = await openProxyServer(({ request: { path } }) =>
      replyWith(Readable.from([]), { headers: [['Content-Type', types[Number(path.slice(1))] ?? '']] }),
    );
    const heads = await Promise.all(
      types.map((_type, at) => rawExchange(port, head(`GET /proxy/a/${at} HTTP/1.1`))),
    );
    assert.deepEqual(
      heads.map((text) => /^x-accel-buffering: no\r$/im.test(text)),
      [true, true, false],
    );
  });

  it('sets the security headers', async () => {
    const { url } = await openProxyServer(() => replyWith(Readable.from([])));
    const request = requestOut(`${url}/proxy/a/x`, { agent: false, headers: { authorization: `Bearer ${TOKENS.admin}`, 'x-request-id': 'mine' } }); // prettier-ignore
    request.end();
    const [{ headers }] = (await once(request, 'response')) as [IncomingMessage];
    assert.deepEqual(
      [headers['x-request-id'], headers['x-content-type-options'], headers['content-security-policy']],
      ['mine', 'nosniff', 'sandbox'],
    );
  });

  describe('with a caller who loses the right to an open stream', () => {
    const openLosing = async (open: Parameters<typeof openStreamServer>[0]) => {
      let isAdmitted = true;
      const requireAccess = (): void => {
        if (!isAdmitted) throw new Problem('adapter_forbidden', 'the access rules have changed');
      };
      const server = await openProxyServer(open, { requireAccess });
      const lose = (): void => {
        isAdmitted = false;
        server.check();
      };
      return { ...server, lose };
    };

    it('breaks off the reply, so that it does not look complete, and records the reason', async () => {
      const body = new PassThrough();
      const { port, records, check, lose } = await openLosing(() => replyWith(body));
      const peer = await sendRaw(port, GET);
      body.write('first');
      await peer.until(/first/);
      check();
      body.write('second');
      await peer.until(/second/);
      lose();
      assert.doesNotMatch(await peer.closed(), /\r\n0\r\n/);
      await until(() => records.length === 2);
      assert.deepEqual([body.destroyed, records[1]?.outcome], [true, '200, 11 bytes, adapter_forbidden']);
    });

    it('cancels the request before the head of the reply, with a problem document', async () => {
      const { port, calls, records, lose } = await openLosing(untilLeft);
      const peer = await sendRaw(port, GET);
      await until(() => calls.length === 1);
      lose();
      assert.match(await peer.closed(), /^HTTP\/1\.1 403 .*"code":"adapter_forbidden"/s);
      assert.equal(records[1]?.outcome, 'adapter_forbidden');
    });

    it('destroys a reply that arrives after the loss', async () => {
      const body = new PassThrough();
      let reply: (given: StreamReply) => void = () => undefined;
      const { port, calls, lose } = await openLosing(() => new Promise((resolve) => (reply = resolve)));
      const peer = await sendRaw(port, GET);
      await until(() => calls.length === 1);
      lose();
      reply(replyWith(body));
      assert.match(await peer.closed(), /^HTTP\/1\.1 403 /);
      assert.equal(body.destroyed, true);
    });

    it('closes a WebSocket with 1008 and a reason, and forwards no later frame', async () => {
      const [ours, theirs] = duplexPair();
      const received: Buffer[] = [];
      theirs.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => undefined);
      const { port, lose } = await openLosing(() => replyWith(ours, { status: 101, tunnel: ours }));
      const peer = await sendRaw(port, handshake('/proxy/a/x', ADMIN));
      await peer.until(/^HTTP\/1\.1 101 [^]*\r\n\r\n/);
      peer.send(textFrame('one'));
      await until(() => received.length === 1);
      lose();
      const text = await peer.until(/the access rules do not admit the call any more$/);
      assert.match(text, /\x88.\x03\xf0the access rules/);
      peer.send(textFrame('two'));
      peer.end();
      await peer.closed();
      assert.deepEqual([ours.destroyed, Buffer.concat(received)], [true, textFrame('one')]);
    });

    it('sends no close frame within a frame of the orchestrator', async () => {
      const [ours, theirs] = duplexPair();
      theirs.resume().on('error', () => undefined);
      const { port, lose } = await openLosing(() => replyWith(ours, { status: 101, tunnel: ours }));
      const peer = await sendRaw(port, handshake('/proxy/a/x', ADMIN));
      await peer.until(/^HTTP\/1\.1 101 [^]*\r\n\r\n/);
      theirs.write(Buffer.from([0x81, 10, 0x61]));
      await peer.until(/\x81\x0aa$/);
      lose();
      assert.match(await peer.closed(), /\x81\x0aa$/);
    });
  });
});
