import assert from 'node:assert/strict';
import { type HttpTestServer, startHttpTestServer, TOKENS } from '../support/http-server.js';

const PORTAL = 'https://portal.example';
const AS_ADMIN = { authorization: `Bearer ${TOKENS.admin}` };

function corsHeadersOf({ headers }: Response): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

describe('cross-origin resource sharing', () => {
  let server: HttpTestServer;
  before(async () => {
    server = await startHttpTestServer({
      proxies: { cors: { origins: [PORTAL, 'http://localhost:5173'], maxAgeSeconds: 60 } },
    });
  });
  after(() => server.close());

  const ask = (path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    fetch(`${server.url}${path}`, { method, headers });

  it('lets pages of a listed origin read responses', async () => {
    for (const origin of [PORTAL, 'http://localhost:5173']) {
      const response = await ask('/demo/things/a', { ...AS_ADMIN, origin });
      assert.equal(response.status, 200);
      const headers = corsHeadersOf(response);
      assert.equal(headers['access-control-allow-origin'], origin);
      assert.match(headers['access-control-expose-headers'] ?? '', /ETag.*X-Request-Id/);
      assert.equal(headers['access-control-allow-credentials'], undefined);
      assert.equal(response.headers.get('vary'), 'Origin');
    }
  });

  it('lets these pages read errors, also of paths without an operation', async () => {
    for (const [path, status] of [
      ['/demo/things/a', 401],
      ['/none', 404],
    ] as const) {
      const response = await ask(path, { origin: PORTAL });
      assert.equal(response.status, status);
      assert.equal(corsHeadersOf(response)['access-control-allow-origin'], PORTAL);
    }
  });

  it('answers a preflight with the methods and headers of the API, and logs it', async () => {
    const response = await ask(
      '/demo/things',
      {
        origin: PORTAL,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
      'OPTIONS',
    );
    assert.equal(response.status, 204);
    const headers = corsHeadersOf(response);
    assert.equal(headers['access-control-allow-origin'], PORTAL);
    assert.match(headers['access-control-allow-methods'] ?? '', /POST/);
    assert.match(headers['access-control-allow-headers'] ?? '', /Authorization,Content-Type/);
    assert.equal(headers['access-control-max-age'], '60');
    const line = server.lines.find(({ fields }) => fields['method'] === 'OPTIONS');
    assert.equal(line?.fields['status'], 204);
  });

  for (const origin of [
    ...['https://portal.example.evil.test', 'https://evil.test/https://portal.example'],
    ...['http://portal.example', 'https://portal.example:8443', 'https://PORTAL.example', 'null'],
  ])
    it(`gives pages of ${origin} no access`, async () => {
      const preflight = { origin, 'access-control-request-method': 'POST' };
      const refused = await ask('/demo/things', preflight, 'OPTIONS');
      assert.equal(refused.status, 405);
      const response = await ask('/demo/things/a', { ...AS_ADMIN, origin });
      assert.equal(response.status, 200);
      for (const one of [refused, response]) {
        assert.equal(corsHeadersOf(one)['access-control-allow-origin'], undefined);
        assert.equal(one.headers.get('vary'), 'Origin');
      }
    });

  it('refuses an OPTIONS request that is no preflight', async () => {
    assert.equal((await ask('/demo/things', { origin: PORTAL }, 'OPTIONS')).status, 405);
  });

  it('adds no header without listed origins', async () => {
    const plain = await startHttpTestServer();
    const response = await fetch(`${plain.url}/demo/status`, { headers: { origin: PORTAL } });
    assert.deepEqual(corsHeadersOf(response), {});
    assert.equal(response.headers.get('vary'), null);
    await plain.close();
  });
});
