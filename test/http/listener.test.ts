import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { Agent, request } from 'undici';
import { Secret } from '../../src/core/secret.js';
import { formatAddress, listenError, openConnectionListener, parseListen } from '../../src/http/listener.js';
import { type HttpServer, openServer } from '../../src/http/server.js';
import { makeCertificate } from '../support/certificates.js';
import { SERVER } from '../support/http-server.js';
import { memoryLog } from '../support/memory-log.js';
import { sendRaw } from '../support/raw-http.js';

describe('openConnectionListener', () => {
  const { log } = memoryLog();
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  async function open(
    own: Partial<Parameters<typeof openServer>[0]> = {},
  ): Promise<{ port: number; server: HttpServer }> {
    const handler: Parameters<typeof openServer>[0]['handler'] = (_req, res) => res.end('served');
    const server = openServer({ settings: SERVER, handler, log, ...own });
    const give = (socket: Socket): void => {
      server.take(socket);
    };
    const listener = await openConnectionListener({ listen: '127.0.0.1:0', connections: 10 }, give, log);
    opened.push(listener, server);
    return { server, port: Number(listener.address.split(':')[1]) };
  }

  it('passes TLS connections to a server', async () => {
    const { cert, key } = await makeCertificate({ dns: 'localhost' });
    const { port } = await open({ tls: { cert, key: new Secret(key) } });
    const dispatcher = new Agent({ connect: { ca: cert } });
    const { body } = await request(`https://localhost:${port}`, { dispatcher });
    assert.equal(await body.text(), 'served');
    await dispatcher.close();
  });

  it('applies the header timeout of the server', async () => {
    const limits = { ...SERVER.limits, headersTimeoutMs: 1, requestTimeoutMs: 1 };
    const { port } = await open({ settings: { ...SERVER, limits } });
    const peer = await sendRaw(port, 'GET / HTTP/1.1\r\n');
    await peer.until(/^HTTP\/1\.1 408 /);
    peer.destroy();
  });

  it('lets a retired server close each connection after its next reply', async () => {
    const { port, server } = await open();
    const peer = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    assert.match(await peer.until(/served$/), /Connection: keep-alive/);
    const retired = server.retire();
    peer.send('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    assert.match(await peer.closed(), /Connection: close[^]*served$/);
    await retired;
  });
});

describe('a listen address', () => {
  for (const [text, host, port] of [
    ['127.0.0.1:3000', '127.0.0.1', 3000],
    ['localhost:0', 'localhost', 0],
    ['[::1]:65535', '::1', 65535],
  ] as const)
    it(`parses and formats ${text}`, () => {
      assert.deepEqual(parseListen(text), { host, port });
      assert.equal(formatAddress({ host, port }), text);
    });

  it('refuses malformed addresses with an example', () => {
    for (const text of [
      ...['', '3000', ':3000', 'host', 'host:', 'host:65536', '::1:3000', '[::1]', 'http://a:1'],
      ...['a b:1', 'a:-1'],
    ])
      assert.throws(
        () => parseListen(text),
        /Write host:port, for example 127\.0\.0\.1:3000 or \[::1\]:3000\./,
        JSON.stringify(text),
      );
  });

  for (const [code, advice] of [
    ['EADDRINUSE', /stop it, or choose another port \(server\.listen, or --listen\)/],
    ['EACCES', /above 1023/],
    ['EADDRNOTAVAIL', /does not have that address/],
    ['EIO', /The system reports EIO/],
  ] as const)
    it(`recommends a correction for ${code}`, () => {
      const error = listenError({ host: '::1', port: 80 }, Object.assign(new Error('x'), { code }));
      assert.match(error.message, /^Cannot listen on \[::1\]:80\. /);
      assert.match(error.message, advice);
    });
});
