import assert from 'node:assert/strict';
import { replyHeaders, rewriteLocation } from '../../../src/upstream/stream/reply-headers.js';

const OUTSIDE = {
  bases: [
    { origin: 'https://nso.test:8888', path: '/base' },
    { origin: 'https://nso-b.test', path: '' },
  ],
  mount: '/proxy/core1',
  url: 'https://nso.test:8888/base/a/b?c=d',
};

const seen = (rawHeaders: readonly string[], status = 200) =>
  replyHeaders({ status, rawHeaders }, OUTSIDE, (text) => text.replaceAll('s3cret', '[redacted]'));

describe('the headers of a passed-on reply', () => {
  it('are those of the orchestrator in their order, with repeated names', () => {
    const raw = ['Content-Type', 'text/plain', 'Link', '<a>', 'link', '<b>', 'ETag', '"1"'];
    assert.deepEqual(seen(raw).flat(), raw);
  });

  it('exclude what concerns the connection or the gateway', () => {
    for (const name of `
      Connection Keep-Alive Transfer-Encoding Upgrade Proxy-Authenticate Trailer TE Set-Cookie
      Set-Cookie2 Strict-Transport-Security Alt-Svc Clear-Site-Data X-Request-Id
      Service-Worker-Allowed NEL Report-To Reporting-Endpoints Access-Control-Allow-Origin
      Use-As-Dictionary Sec-Session-Registration Set-Login Accept-CH Critical-CH Refresh Expect-CT
      Access-Control-Expose-Headers Origin-Agent-Cluster Available-Dictionary
    `
      .trim()
      .split(/\s+/))
      assert.deepEqual(seen([name, 'a']), [], name);
  });

  it('finding F16: exclude a Link that makes a browser load or connect, but no other Link', () => {
    for (const rel of ['preload', '"preload"', '"next preconnect"', 'dns-prefetch', 'MODULEPRELOAD'])
      assert.deepEqual(seen(['Link', `<https://a.example/x>; as=script; rel=${rel}`]), []);
    const next = ['Link', '</base/things?page=2>; rel="next", <https://a.example/preload>; rel=self'];
    assert.deepEqual(seen(next).flat(), next);
  });

  it('exclude the names in Connection', () => {
    assert.deepEqual(seen(['connection', 'X-Inner, close', 'x-inner', '1', 'x-outer', '2']), [
      ['x-outer', '2'],
    ]);
  });

  it('include Content-Length only if it applies', () => {
    assert.deepEqual(seen(['Content-Length', '5']), [['Content-Length', '5']]);
    assert.deepEqual(seen(['Content-Length', '5', 'Transfer-Encoding', 'chunked']), []);
    assert.deepEqual(seen(['Content-Length', '5'], 204), []);
  });

  it('do not repeat the secrets of the adapter', () => {
    assert.deepEqual(seen(['X-Echo', 'key s3cret']), [['X-Echo', 'key [redacted]']]);
  });
});

describe('rewriteLocation', () => {
  it('maps each location', () => {
    for (const [location, expected] of [
      ['https://nso.test:8888/base/x?y=z#f', '/proxy/core1/x?y=z#f'],
      ['https://nso.test:8888/base', '/proxy/core1'],
      ['/base/x', '/proxy/core1/x'],
      ['x', '/proxy/core1/a/x'],
      ['../x', '/proxy/core1/x'],
      ['?e=f', '/proxy/core1/a/b?e=f'],
      ['https://nso-b.test/x', '/proxy/core1/x'],
      ['https://nso.test:8888/basement', 'https://nso.test:8888/basement'],
      ['http://nso.test:8888/base/x', 'http://nso.test:8888/base/x'],
      ['https://login.test/x', 'https://login.test/x'],
      ['//login.test/x', 'https://login.test/x'],
      ['/login', 'https://nso.test:8888/login'],
      ['../../login', 'https://nso.test:8888/login'],
      ['http://[', 'http://['],
    ] as const)
      assert.equal(rewriteLocation(location, OUTSIDE), expected, location);
  });

  it('removes the query parameter with the credentials', () => {
    const outside = { ...OUTSIDE, parameter: 'key' };
    assert.equal(rewriteLocation('/base/x?key=s3cret&a=b', outside), '/proxy/core1/x?a=b');
    assert.equal(rewriteLocation('https://login.test/?key=s3cret', outside), 'https://login.test/');
  });
});
