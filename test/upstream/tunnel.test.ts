import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { HttpReply, TlsMaterial } from '../../src/core/http.js';
import type { Problem } from '../../src/core/problem.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { makeCertificate } from '../support/certificates.js';
import { problem } from '../support/failing.js';
import { startHostileUpstream } from '../support/hostile-upstream.js';
import { startHttpProxy } from '../support/http-proxy.js';
import { listenOnLoopback } from '../support/loopback.js';
import { openedByTest } from '../support/opened.js';

describe('the HTTP client with a proxy', () => {
  const opened = openedByTest();
  const serve = async (server: Server) => (await opened(listenOnLoopback(server))).host;
  /** Returns the URL of a proxy that sends these bytes to each connection. */
  const proxyWith = async (bytes: string) =>
    (await opened(startHostileUpstream([(socket) => socket.write(bytes)]))).origin;
  const hello: Parameters<typeof createServer>[1] = (request, response) => {
    response.end(`hello ${request.url ?? ''}`);
  };

  async function get(url: string, proxy: string, tls: TlsMaterial = {}): Promise<HttpReply> {
    const client = openHttpClient({ tls, proxy });
    try {
      return await client.send({ method: 'GET', url, headers: {} }, { totalMs: 3000, replyBytes: 1000 });
    } finally {
      await client.close();
    }
  }

  it('T-04 requests a tunnel to an https target, and verifies the certificate of the target', async () => {
    const { cert, key } = await makeCertificate({ ip: '127.0.0.1' });
    const target = await serve(createTlsServer({ cert, key }, hello));
    const proxy = await opened(startHttpProxy());
    const reply = await get(`https://${target}/a?b`, proxy.url, { ca: cert });
    assert.equal(reply.body.toString(), 'hello /a?b');
    assert.deepEqual(proxy.asked, [`CONNECT ${target}`]);
    await assert.rejects(get(`https://${target}/a`, proxy.url), { code: 'upstream_unreachable' });
  });

  it('T-04 sends the complete URL of an http target to the proxy', async () => {
    const target = await serve(createServer(hello));
    const proxy = await opened(startHttpProxy());
    assert.equal((await get(`http://${target}/a?b`, proxy.url)).body.toString(), 'hello /a?b');
    assert.deepEqual(proxy.asked, [`GET http://${target}/a?b`]);
  });

  it('reports a refusal of the proxy', async () => {
    const proxy = await opened(startHttpProxy(407));
    const refusal = { code: 'upstream_unreachable', message: /^the proxy answered with status 407/ };
    await assert.rejects(get('https://vault.example/', proxy.url), refusal);
  });

  it('names the proxy, and not the target, when the proxy cannot be reached', async () => {
    const free = createServer();
    const closed = await listenOnLoopback(free);
    await closed.close();
    for (const url of ['https://vault.example/', 'http://vault.example/'])
      await assert.rejects(get(url, `http://${closed.host}`), (error) => {
        problem('upstream_unreachable')(error);
        const message = 'the proxy refuses connections on this port, so the target is unreachable';
        assert.equal((error as Problem).message, message);
        assert.match((error as Problem).extras.advice ?? '', /correct the setting "proxy"/);
        return true;
      });
    await assert.rejects(get('https://vault.example/', 'http://no-such-proxy.invalid:3128'), {
      code: 'upstream_unreachable',
      message: /^the (?:host name of the proxy is not known|name server does not answer), so the target/,
    });
  });

  const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n';
  const REFUSAL = `${INTERIM}HTTP/1.1 102 X\r\n\r\nHTTP/1.1 407 X\r\n\r\n`;
  for (const [what, answer, message] of [
    ['does not speak HTTP', 'SSH-2.0-x\r\n\r\n', /./],
    ['sends bytes into the tunnel', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', /./],
    ['never ends its reply', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}`, /./],
    ['refuses after informational responses', REFUSAL, /^the proxy answered with status 407/],
  ] as const)
    it(`reports a proxy that ${what}`, async () => {
      const failure = { code: 'upstream_unreachable', message };
      await assert.rejects(get('https://vault.example/', await proxyWith(answer)), failure);
    });

  it('refuses a proxy that sends too many informational responses', async () => {
    const refusal = { code: 'upstream_bad_reply', message: /more than 100 informational/ };
    await assert.rejects(get('https://vault.example/', await proxyWith(INTERIM.repeat(101))), refusal);
  });
});
