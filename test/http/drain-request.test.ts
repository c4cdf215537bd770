import assert from 'node:assert/strict';
import { DEFAULT_STALL_LIMITS } from '../../src/http/request-context.js';
import {
  BODY_BYTES,
  type HttpTestServerOptions,
  startHttpTestServer,
  TOKENS,
} from '../support/http-server.js';
import { openedByTest } from '../support/opened.js';
import { sendRaw, statusesIn } from '../support/raw-http.js';

const CREDENTIALS = `Authorization: Bearer ${TOKENS.admin}\r\n`;
const post = (lines: string) =>
  `POST /demo/things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${lines}\r\n`;
const STATUS = 'GET /demo/status HTTP/1.1\r\nHost: a\r\n\r\n';
const QUICK = { ...DEFAULT_STALL_LIMITS, lingerMs: 50 };

describe('a reply that is sent before the request body is read', () => {
  const opened = openedByTest();
  const open = (options?: HttpTestServerOptions) => opened(startHttpTestServer(options));
  const sendTo = async (message: string, options?: HttpTestServerOptions) =>
    sendRaw((await open(options)).port, message);

  it('refuses a caller without a token at once', async () => {
    const peer = await sendTo(post('Content-Length: 100\r\n'));
    assert.match(await peer.until(/"requestId"[^}]*}/), /^HTTP\/1\.1 401 /);
    peer.destroy();
  });

  it('closes the connection if the peer does not send the body within the linger time', async () => {
    const peer = await sendTo(post('Content-Length: 100\r\n'), { deps: { stallLimits: QUICK } });
    assert.deepEqual(statusesIn(await peer.closed()), [401]);
  });

  it('keeps the connection if the small body arrives after the refusal', async () => {
    const peer = await sendTo(post('Content-Length: 10\r\n'));
    await peer.until(/^HTTP\/1\.1 401 [^]*}/);
    peer.send(`0123456789${STATUS}`);
    assert.deepEqual(statusesIn(await peer.until(/HTTP\/1\.1 200 /)), [401, 200]);
    peer.destroy();
  });

  it('refuses a too large length before the body, and reads the body until the client has the reply', async () => {
    const length = 3_000_000;
    const peer = await sendTo(post(`${CREDENTIALS}Content-Length: ${length}\r\n`));
    const answer = await peer.until(/"recommendation"[^}]*}/);
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /^Connection: close/m);
    peer.send(Buffer.alloc(length, ' '));
    assert.deepEqual(statusesIn(await peer.closed()), [413]);
  });

  it('reaches a client that first sends the complete body', async () => {
    const length = 3_000_000;
    const peer = await sendTo(post(`${CREDENTIALS}Content-Length: ${length}\r\n`));
    peer.send(Buffer.alloc(length, ' '));
    assert.match(await peer.closed(), /^HTTP\/1\.1 413 [^]*"code":"body_too_large"/);
  });

  it('refuses a chunked body as soon as it exceeds the limit', async () => {
    const chunk = `${(500).toString(16)}\r\n${' '.repeat(500)}\r\n`;
    const begin = `${post(`${CREDENTIALS}Transfer-Encoding: chunked\r\n`)}${chunk}${chunk}`;
    const peer = await sendTo(begin, { deps: { stallLimits: QUICK } });
    assert.equal(BODY_BYTES, 1_000);
    peer.send(chunk);
    assert.match(await peer.closed(), /^HTTP\/1\.1 413 [^]*"code":"body_too_large"/);
  });

  it('closes the connection of an endless body after the linger limit in bytes', async () => {
    const deps = { stallLimits: { ...DEFAULT_STALL_LIMITS, lingerBytes: 100_000 } };
    const peer = await sendTo(post('Transfer-Encoding: chunked\r\n'), { deps });
    await peer.until(/^HTTP\/1\.1 401 [^]*}/);
    peer.send(`${(200_000).toString(16)}\r\n${' '.repeat(200_000)}\r\n`);
    assert.deepEqual(statusesIn(await peer.closed()), [401]);
  });

  it('is the last reply on a connection that it closes', async () => {
    const { port, lines } = await open();
    const peer = await sendRaw(port, post('Transfer-Encoding: chunked\r\n'));
    await peer.until(/^HTTP\/1\.1 401 [^]*}/);
    peer.send(`0\r\n\r\n${STATUS}`);
    assert.deepEqual(statusesIn(await peer.closed()), [401]);
    assert.equal(lines.length, 1);
  });

  it('requests an expected body only from authorized callers', async () => {
    const { port } = await open({ deps: { stallLimits: QUICK } });
    const expecting = 'Expect: 100-continue\r\nContent-Length: 12\r\n';
    const unknownCaller = await sendRaw(port, post(expecting));
    const refusal = await unknownCaller.closed();
    assert.deepEqual(statusesIn(refusal), [401]);
    assert.match(refusal, /^Connection: close/m);
    const admin = await sendRaw(port, post(CREDENTIALS + expecting));
    await admin.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    admin.send('{"name":"a"}');
    assert.deepEqual(statusesIn(await admin.until(/"subject":"ada"}/)), [100, 200]);
    admin.send(STATUS);
    assert.deepEqual(statusesIn(await admin.until(/HTTP\/1\.1 200 [^]*HTTP\/1\.1 200 /)), [100, 200, 200]);
    admin.destroy();
  });

  it('does not request an expected body that is too large or has the wrong type', async () => {
    const { port } = await open({ deps: { stallLimits: QUICK } });
    for (const [lines, status] of [
      ['Content-Length: 2000\r\n', 413],
      ['Content-Length: 20\r\nContent-Encoding: gzip\r\n', 415],
    ] as const) {
      const peer = await sendRaw(port, post(`${CREDENTIALS}Expect: 100-continue\r\n${lines}`));
      assert.deepEqual(statusesIn(await peer.closed()), [status]);
    }
  });

  it('does not wait for a body that the operation does not read', async () => {
    const peer = await sendTo('GET /demo/status HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\n\r\n{');
    await peer.until(/^HTTP\/1\.1 200 [^]*}/);
    peer.send(`${' '.repeat(29)}${STATUS}`);
    assert.deepEqual(statusesIn(await peer.until(/HTTP\/1\.1 200 [^]*HTTP\/1\.1 200 /)), [200, 200]);
    peer.destroy();
  });
});
