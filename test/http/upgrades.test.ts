import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { Secret } from '../../src/core/secret.js';
import { makeCertificate } from '../support/certificates.js';
import { startHttpTestServer, TOKENS } from '../support/http-server.js';
import { openedBySuite } from '../support/opened.js';
import { rawExchange, sendRaw, statusesIn } from '../support/raw-http.js';
import { handshake } from '../support/stream-orchestrator.js';

const ADMIN = `Authorization: Bearer ${TOKENS.admin}\r\n`;
const OFFER = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n';
const GET = `GET /demo/things/a HTTP/1.1\r\nHost: a\r\n${ADMIN}`;

describe('a request with an Upgrade header', () => {
  const opened = openedBySuite();
  const open = (options = {}) => opened(startHttpTestServer({ drainSeconds: 0, ...options }));

  it('for HTTP/2 is served over HTTP/1.1, with its body', async () => {
    const { port } = await open();
    const answer = await rawExchange(
      port,
      `POST /demo/things HTTP/1.1\r\nHost: a\r\n${ADMIN}${OFFER}Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"x"}`,
    );
    assert.match(answer, /^HTTP\/1\.1 200 OK.*"name":"x"/s);
  });

  it('is served over TLS as well', async () => {
    const { cert, key } = await makeCertificate({ dns: 'localhost' });
    const { port } = await open({ tls: { cert, key: new Secret(key) } });
    const socket = connectTls({ port, host: '127.0.0.1', ca: cert, servername: 'localhost' });
    socket.write(`${GET}${OFFER}\r\n`);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    assert.match(chunk.toString(), /^HTTP\/1\.1 200 OK/);
    socket.destroy();
  });

  it('waits for earlier pipelined replies', async () => {
    let end: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (end = resolve));
    let calls = 0;
    const getThing = async () => {
      calls += 1;
      if (calls === 1) await first;
      return { body: `call ${calls}` };
    };
    const { port } = await open({ actions: { getThing } });
    const peer = await sendRaw(port, `${GET}\r\n${GET}${OFFER}\r\n`);
    setImmediate(end);
    const received = await peer.closed();
    assert.deepEqual(statusesIn(received), [200, 200]);
    assert.ok(received.indexOf('call 1') < received.indexOf('call 2'));
  });

  it('is the last request on its connection', async () => {
    const { port } = await open();
    for (const message of [`${GET}${OFFER}\r\n${GET}\r\n`, `${handshake('/demo/things/a', ADMIN)}${GET}\r\n`])
      assert.equal(statusesIn(await rawExchange(port, message)).length, 1);
  });

  it('for a WebSocket is refused if the operation has no stream', async () => {
    const { port } = await open();
    assert.match(await rawExchange(port, handshake('/demo/things/a', ADMIN)), /^HTTP\/1\.1 400 /);
  });
});
