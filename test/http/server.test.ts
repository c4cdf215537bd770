import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Principal } from '../../src/core/principal.js';
import type { Problem } from '../../src/core/problem.js';
import { Secret } from '../../src/core/secret.js';
import { DEFAULT_STALL_LIMITS } from '../../src/http/request-context.js';
import { abortSignalOf, type CancelSignal } from '../../src/lib/cancel-signal.js';
import { makeCertificate } from '../support/certificates.js';
import { columns } from '../support/columns.js';
import {
  type HttpTestServerOptions,
  type HttpTestServer,
  startHttpTestServer,
  TOKENS,
} from '../support/http-server.js';
import { openedBySuite, openedByTest } from '../support/opened.js';
import { rawExchange, rawPeer, sendRaw, statusesIn } from '../support/raw-http.js';
import { until } from '../support/until.js';

const AS_ADMIN = `Host: a\r\nAuthorization: Bearer ${TOKENS.admin}\r\n`;
const GET = `GET /demo/things/a HTTP/1.1\r\n${AS_ADMIN}\r\n`;
const STATUS = 'GET /demo/status HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST_STATUS = STATUS.replace('Host', 'Connection: close\r\nHost');
const post = (lines: string, body = '') =>
  `POST /demo/things HTTP/1.1\r\n${AS_ADMIN}Content-Type: application/json\r\n${lines}\r\n${body}`;

/** Creates a promise and the function that resolves it. */
function promised<T>() {
  let resolvePromise: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    resolvePromise = resolve;
  });
  return { promise, resolve: resolvePromise };
}

async function selfSigned() {
  const { cert, key } = await makeCertificate({ dns: 'localhost' });
  return { cert, key: new Secret(key) };
}

/** Returns the reply to one request over a new TLS connection. */
async function getReply(url: string, ca: string): Promise<IncomingMessage> {
  const request = httpsRequest(url, { ca, servername: 'localhost', agent: false });
  request.end();
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  reply.resume();
  await once(reply, 'end');
  return reply;
}

const loggedStatuses = ({ lines }: HttpTestServer) => lines.map(({ fields }) => fields['status']);

/** Creates a handler that signals its start and ends when the test ends it. */
function gate() {
  const began = promised<CancelSignal>();
  const end = promised<unknown>();
  const getThing = async ({ signal }: { readonly signal: CancelSignal }) => {
    began.resolve(signal);
    return { body: await end.promise };
  };
  return { getThing, began: began.promise, end: end.resolve };
}

describe('the HTTP server', () => {
  const opened = openedByTest();
  const open = (options?: HttpTestServerOptions) => opened(startHttpTestServer(options));

  describe('listening', () => {
    it('reports the port that the system chose', async () => {
      const { url } = await open();
      assert.match(url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
      assert.equal((await fetch(`${url}/demo/status`)).status, 200);
    });

    it('answers plain HTTP on a TLS port with 400 and what the port expects, and logs it', async () => {
      const server = await open({ tls: await selfSigned() });
      for (const request of [GET, STATUS, post('Content-Length: 2\r\n', '{}')]) {
        const reply = await rawExchange(server.port, request);
        assert.match(reply, /^HTTP\/1\.1 400 Bad Request\r\n/);
        assert.match(reply, /This port expects HTTPS, and the request is plain HTTP\./);
        assert.match(reply, /"recommendation":"Write https:\/\/ in place of http:\/\/ in the address\."/);
      }
      const [line] = server.lines;
      assert.deepEqual(
        [line?.message, line?.fields['status'], line?.fields['reason'], line?.fields['clientAddress']],
        ['request refused', 400, 'ERR_SSL_HTTP_REQUEST', '127.0.0.1'],
      );
    });

    it('closes a connection to a TLS port that sends neither TLS nor HTTP, without an answer', async () => {
      const { port } = await open({ tls: await selfSigned() });
      assert.equal((await rawExchange(port, 'SSH-2.0-client\r\n')).includes('HTTP'), false);
    });

    it('refuses cipher suites without forward secrecy or authenticated encryption', async () => {
      const tls = await selfSigned();
      const { port } = await open({ tls });
      const suiteOf = async (...ciphers: readonly string[]): Promise<string> => {
        const suites = { maxVersion: 'TLSv1.2', ciphers: ciphers.join(':') } as const;
        const socket = connectTls({ port, ca: tls.cert, servername: 'localhost', ...suites });
        await once(socket, 'secureConnect');
        const { name } = socket.getCipher();
        socket.destroy();
        return name;
      };
      const weak = ['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA', 'AES128-GCM-SHA256', 'AES256-SHA'];
      const strong = 'ECDHE-ECDSA-AES128-GCM-SHA256';
      await assert.rejects(suiteOf(...weak), /handshake failure/);
      assert.equal(await suiteOf(...weak, strong), strong);
    });

    it('finding F17: refuses another handshake on a connection with TLS 1.2', async () => {
      const tls = await selfSigned();
      const { port } = await open({ tls });
      const socket = connectTls({ port, ca: tls.cert, servername: 'localhost', maxVersion: 'TLSv1.2' });
      await once(socket, 'secureConnect');
      const failed = once(socket, 'error') as Promise<[Error]>;
      socket.renegotiate({}, () => undefined);
      assert.match((await failed)[0].message, /no.renegotiation/i);
      // An open connection without a request delays the end of the server.
      socket.destroy();
    });

    it('sends Strict-Transport-Security with every reply if configured', async () => {
      const tls = await selfSigned();
      const hsts = 'max-age=31536000; includeSubDomains';
      const { url } = await open({ tls: { ...tls, hsts } });
      for (const path of ['/demo/status', '/nothing', '/demo/things/a', '/%zz'])
        assert.equal((await getReply(`${url}${path}`, tls.cert)).headers['strict-transport-security'], hsts);
      const { url: other } = await open({ tls });
      const { headers } = await getReply(`${other}/demo/status`, tls.cert);
      assert.equal(headers['strict-transport-security'], undefined);
    });
  });

  describe('a connection', () => {
    it('serves further requests after refusals', async () => {
      const { port } = await open();
      const peer = await sendRaw(port, STATUS.replace('/demo/status', '/nothing'));
      await peer.until(/HTTP\/1\.1 404 [^]*}/);
      peer.send(STATUS.replace('/demo/status', '/demo/things/a'));
      await peer.until(/HTTP\/1\.1 401 [^]*}/);
      peer.send(post('Content-Length: 2\r\n', '{}'));
      await peer.until(/HTTP\/1\.1 400 [^]*}/);
      peer.send(LAST_STATUS);
      assert.deepEqual(statusesIn(await peer.closed()), [404, 401, 400, 200]);
    });

    it('refuses a body that is not UTF-8', async () => {
      const { port } = await open();
      const received = await rawExchange(
        port,
        post('Content-Length: 13\r\nConnection: close\r\n', '{"name":"a\xff"}'),
      );
      assert.match(received, /^HTTP\/1\.1 400 [^]*"code":"invalid_json"/);
    });

    it('refuses two tokens in one request', async () => {
      const { port } = await open();
      const twice = GET.replace('Host', `Authorization: Bearer ${TOKENS.admin}\r\nConnection: close\r\nHost`);
      assert.deepEqual(statusesIn(await rawExchange(port, twice)), [401]);
    });
  });

  describe('a slow client', () => {
    const hasty = { requestTimeoutMs: 300, headersTimeoutMs: 200, keepAliveTimeoutMs: 200 };
    const opened = openedBySuite();
    let done = 0;

    /** Sends a text to a new server. Node checks for slow clients once a second: all wait at the same time. */
    const sendTo = async (text: string) => {
      const actions = { createThing: () => ({ body: (done += 1) }) };
      const { lines, port } = await opened(startHttpTestServer({ limits: hasty, actions }));
      return { lines, received: rawExchange(port, text) };
    };
    let withoutHead: Awaited<ReturnType<typeof sendTo>>;
    let withoutBody: typeof withoutHead;
    let idle: typeof withoutHead;
    before(async () => {
      withoutHead = await sendTo('GET /demo/status HTTP/1.1\r\nHost');
      withoutBody = await sendTo(post('Content-Length: 12\r\n', '{"name":'));
      idle = await sendTo(STATUS);
      await Promise.allSettled([withoutHead, withoutBody, idle].map(({ received }) => received));
    });
    it('is refused with 408 when the head does not arrive', async () => {
      const { lines, received } = withoutHead;
      assert.match(
        await received,
        /^HTTP\/1\.1 408 Request Timeout\r\n[^]*connection: close\r\n\r\n{.*"status":408/,
      );
      assert.deepEqual(
        [lines[0]?.message, lines[0]?.fields['status'], lines.length],
        ['request refused', 408, 1],
      );
    });

    it('is refused with 408 when the body does not arrive, and no handler runs', async () => {
      assert.deepEqual(statusesIn(await withoutBody.received), [408]);
      assert.equal(done, 0);
    });

    it('loses an idle connection', async () => {
      assert.deepEqual(statusesIn(await idle.received), [200]);
    });

    it('loses a reply that it does not read', async () => {
      const rawJson = Buffer.alloc(50_000_000, ' ');
      const { port, close } = await open({
        actions: { getThing: () => ({ body: { rawJson } }) },
        deps: { stallLimits: { ...DEFAULT_STALL_LIMITS, stallMs: 100 } },
        // Closing would wait for the reply longer than the test may take; the stall limit ends it earlier.
        drainSeconds: 600,
      });
      const peer = await sendRaw(port, GET);
      await peer.until(/^HTTP\/1\.1 200 /);
      peer.pause();
      await close();
      peer.resume();
      assert.ok((await peer.closed()).length < rawJson.length);
    });
  });

  describe('a caller who leaves', () => {
    for (const [title, end] of [
      ['aborts the signal of the call, and gets no reply', () => ({ body: 'too late' })],
      [
        'causes no error log, whatever the handler throws',
        () => {
          throw new Error('aborted');
        },
      ],
    ] as const)
      it(title, async () => {
        const began = promised<CancelSignal>();
        const getThing = async ({ signal }: { readonly signal: CancelSignal }) => {
          began.resolve(signal);
          await once(abortSignalOf(signal), 'abort');
          return end();
        };
        const { port, lines } = await open({ actions: { getThing } });
        const peer = await sendRaw(port, GET);
        const signal = await began.promise;
        assert.equal(signal.aborted, false);
        peer.destroy();
        await until(() => lines.length > 0);
        assert.equal((signal.reason as Problem).code, 'caller_gone');
        assert.deepEqual(columns(lines, 'level', 'message'), [['info', 'request']]);
        assert.equal(lines[0]?.fields['status'], 499);
      });

    it('during the body causes no handler call', async () => {
      let done = 0;
      const createThing = () => ({ body: (done += 1) });
      const server = await open({ actions: { createThing } });
      const peer = await sendRaw(server.port, post('Content-Length: 12\r\nExpect: 100-continue\r\n'));
      await peer.until(/^HTTP\/1\.1 100 /);
      peer.send('{"name":');
      peer.destroy();
      await until(() => server.lines.length > 0);
      assert.deepEqual([done, loggedStatuses(server)], [0, [499]]);
    });

    it('during authentication is logged (bug: the server waited for the body forever)', async () => {
      const [came, known] = [promised<IncomingMessage>(), promised<Principal>()];
      const server = await open({
        deps: { authenticate: () => known.promise },
        shed: ({ req, res }, _calls, handler) => {
          came.resolve(req);
          handler(req, res);
        },
      });
      const peer = await sendRaw(server.port, post('Content-Length: 12\r\n'));
      const { socket } = await came.promise;
      peer.destroy();
      await until(() => socket.destroyed);
      known.resolve({ subject: 'ada', issuer: 'https://idp.test', roles: ['admin'], expiresAt: 4e9 });
      await until(() => server.lines.length > 0);
      assert.deepEqual(loggedStatuses(server), [499]);
    });

    it('after an ignored body is detected', async () => {
      const { getThing, began, end } = gate();
      const { port } = await open({ actions: { getThing } });
      const peer = await sendRaw(port, GET.replace('Host', 'Content-Length: 5000000\r\nHost'));
      const signal = await began;
      peer.send(Buffer.alloc(4_000_000));
      peer.end();
      await once(abortSignalOf(signal), 'abort');
      end(null);
    });

    it('during authentication causes no handler call', async () => {
      const asked = promised<unknown>();
      const known = promised<Principal>();
      let done = 0;
      const authenticate = () => {
        asked.resolve(0);
        return known.promise;
      };
      const actions = { getThing: () => ({ body: (done += 1) }) };
      const { port, lines, close } = await open({ actions, deps: { authenticate } });
      const peer = await sendRaw(port, GET);
      await asked.promise;
      const closed = close();
      peer.destroy();
      await closed;
      // The server sees the end of the connection before the listeners of the connection do, in the same
      // turn.
      await setImmediate();
      await setImmediate();
      known.resolve({ subject: 'ada', issuer: 'x', roles: ['admin'], expiresAt: 4e9 });
      await until(() => lines.length > 0);
      assert.deepEqual([done, lines[0]?.fields['status']], [0, 499]);
    });

    it('aborts pipelined calls as well', async () => {
      const first = gate();
      const second = promised<CancelSignal>();
      const { port } = await open({
        actions: {
          getThing: first.getThing,
          getStatus: async ({ signal }) => {
            second.resolve(signal);
            await once(abortSignalOf(signal), 'abort');
            return { body: null };
          },
        },
      });
      const peer = await sendRaw(port, GET + STATUS);
      const signals = await Promise.all([first.began, second.promise]);
      const aborted = Promise.all(signals.map((signal) => once(abortSignalOf(signal), 'abort')));
      peer.destroy();
      await aborted;
      first.end(null);
    });
  });

  describe('close', () => {
    it('answers the running call with Connection: close, and accepts no new connection', async () => {
      const { getThing, began, end } = gate();
      const { port, close } = await open({ actions: { getThing } });
      const peer = await sendRaw(port, GET);
      await began;
      const closed = close();
      // The end of a silent connection shows that the server has stopped listening.
      await (await rawPeer(port)).closed();
      await assert.rejects(rawPeer(port), { code: 'ECONNREFUSED' });
      end('done');
      assert.match(await peer.closed(), /^HTTP\/1\.1 200 [^]*Connection: close[^]*"done"$/);
      await closed;
    });

    it('answers the request of a connection that the system has established before the end, with Connection: close', async () => {
      const { port, close } = await open();
      const closed = close();
      const late = await sendRaw(port, STATUS);
      assert.match(await late.closed(), /^HTTP\/1\.1 200 [^]*Connection: close/);
      await closed;
    });

    it('ends idle connections at once', async () => {
      const { port, close } = await open();
      const silent = await rawPeer(port);
      const idle = await sendRaw(port, STATUS);
      await idle.until(/}/);
      await close();
      assert.equal(await silent.closed(), '');
      assert.deepEqual(statusesIn(await idle.closed()), [200]);
    });

    it('sends pending replies completely', async () => {
      const rawJson = Buffer.alloc(20_000_000, ' ');
      const { port, close } = await open({ actions: { getThing: () => ({ body: { rawJson } }) } });
      const peer = await sendRaw(port, GET);
      await peer.until(/^HTTP\/1\.1 200 /);
      peer.pause();
      const closed = close();
      peer.resume();
      const received = await peer.closed();
      assert.equal(received.length - received.indexOf('\r\n\r\n') - 4, rawJson.length);
      await closed;
    });

    it('closes the remaining connections after the drain time', async () => {
      const { getThing, began, end } = gate();
      const { port, close } = await open({ actions: { getThing }, drainSeconds: 0.1 });
      const peer = await sendRaw(port, GET);
      await began;
      await close();
      assert.equal(await peer.closed(), '');
      end(null);
    });

    it('answers a client whose TLS handshake is pending, with Connection: close', async () => {
      const tls = await selfSigned();
      const { url, port, close } = await open({ tls });
      const wire = connect(port, '127.0.0.1');
      await once(wire, 'connect');
      // Connections are accepted in order: this reply proves that the server has accepted the raw connection.
      await getReply(`${url}/demo/status`, tls.cert);
      const closed = close();
      const socket = connectTls({ socket: wire, ca: tls.cert, servername: 'localhost' });
      socket.write(STATUS);
      const received = (await socket.setEncoding('latin1').toArray()).join('');
      assert.match(received, /^HTTP\/1\.1 200 [^]*Connection: close/);
      await closed;
    });

    it('can be called twice', async () => {
      const { close } = await open();
      await Promise.all([close(), close()]);
      await close();
    });
  });
});
