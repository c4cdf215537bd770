import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { callerOrigin, ORIGIN_HEADER } from '../../src/http/caller-origin.js';
import { createForwarder } from '../../src/http/forward-to-primary.js';
import { listenPrivately } from '../../src/http/server.js';
import { SERVER } from '../support/http-server.js';
import { listenOnLoopback } from '../support/loopback.js';
import { memoryLog } from '../support/memory-log.js';
import { openedBySuite } from '../support/opened.js';
import { sendRaw } from '../support/raw-http.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

describe('a request that is forwarded to the primary', () => {
  let port = 0;
  let answer: RequestListener;
  const opened = openedBySuite();

  before(async () => {
    const path = join(temporaryFolder().path, 'main');
    const { log } = memoryLog();
    const handler: RequestListener = (req, res) => {
      answer(req, res);
    };
    await opened(listenPrivately(path, { settings: SERVER, log, handler }));
    const forwarder = createForwarder(path);
    await opened(forwarder);
    const take: RequestListener = (req, res) => {
      forwarder.serve({ req, res });
    };
    const front = createServer().on('request', take).on('checkContinue', take);
    ({ port } = await opened(listenOnLoopback(front)));
  });

  const textOf = async (req: IncomingMessage): Promise<string> => {
    let text = '';
    for await (const chunk of req) text += String(chunk);
    return text;
  };

  it('keeps its target, header lines and body, and its reply the status and headers', async () => {
    let seen: unknown;
    answer = (req, res) => {
      void textOf(req).then((text) => {
        const { method, url, rawHeaders } = req;
        seen = { method, url, text, tags: rawHeaders.filter((_, at) => rawHeaders[at - 1] === 'X-Tag') };
        res.writeHead(207, 'Of many kinds', [
          'Set-Cookie',
          'a=1',
          'Set-Cookie',
          'b=2',
          'content-length',
          '2',
        ]);
        res.end('ok');
      });
    };
    const peer = await sendRaw(
      port,
      'PUT /a%2Fb?c=%20 HTTP/1.1\r\nHost: h\r\nX-Tag: 1\r\nX-Tag: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    peer.send('3\r\nabc\r\n0\r\n\r\n');
    const reply = await peer.until(/\r\n\r\nok$/);
    assert.deepEqual(seen, { method: 'PUT', url: '/a%2Fb?c=%20', text: 'abc', tags: ['1', '2'] });
    assert.match(reply, /^HTTP\/1\.1 207 Of many kinds\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n/);
    peer.destroy();
  });

  it('carries the address of the caller, even if the caller sets the header', async () => {
    let seen: unknown;
    answer = (req, res) => {
      seen = [callerOrigin(req), req.headers[ORIGIN_HEADER], req.rawHeaders.includes(ORIGIN_HEADER)];
      res.end();
    };
    const peer = await sendRaw(
      port,
      `GET / HTTP/1.1\r\nHost: h\r\n${ORIGIN_HEADER}: https 192.0.2.1\r\n\r\n`,
    );
    await peer.until(/200 OK/);
    assert.deepEqual(seen, [{ address: '127.0.0.1', scheme: 'http' }, undefined, false]);
    peer.destroy();
  });

  it('waits with its body until the primary sends 100 Continue', async () => {
    answer = (req, res) => {
      res.writeContinue();
      void textOf(req).then((text) => res.end(text.toUpperCase()));
    };
    const peer = await sendRaw(
      port,
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n',
    );
    await peer.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    peer.send('abc');
    await peer.until(/ABC/);
    peer.destroy();
  });

  it('is refused before its body, and its connection closes', async () => {
    answer = (_req, res) => {
      res.writeHead(413, { 'content-length': '0', connection: 'close' }).end();
    };
    const peer = await sendRaw(
      port,
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n',
    );
    await peer.until(/^HTTP\/1\.1 413 [^]*\r\n\r\n$/);
    peer.send('abc');
    assert.match(await peer.closed(), /Connection: close\r\n/i);
  });

  it('receives the head of a reply without a length at once, as event streams need it', async () => {
    let finish = (): void => undefined;
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      finish = () => res.end('data: 1\n\n');
    };
    const peer = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    await peer.until(/text\/event-stream/);
    finish();
    await peer.until(/data: 1/);
    peer.destroy();
  });

  it('is cancelled at the primary when the caller leaves, and for the caller when the reply breaks off', async () => {
    let [arrived, left] = [false, false];
    answer = (req) => {
      arrived = true;
      req.once('close', () => (left = true));
    };
    const one = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    await until(() => arrived);
    answer = (_req, res) => {
      res.writeHead(200, { 'content-length': '9' });
      res.write('some', () => res.destroy());
    };
    const other = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    assert.match(await other.closed(), /some$/);
    one.destroy();
    await until(() => left);
  });
});
