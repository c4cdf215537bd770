import assert from 'node:assert/strict';
import { forwardedReplyHeaders } from '../../../src/core/header.js';
import { replyHeaders, rewriteLocation } from '../../../src/upstream/stream/reply-headers.js';

const OUTSIDE = {
  bases: [
    { origin: 'https://nso.test:8888', path: '/base' },
    { origin: 'https://nso-b.test', path: '' },
  ],
  mount: '/proxy/core1',
  url: 'https://nso.test:8888/base/a/b?c=d',
};

const redact = (text: string) => text.replaceAll('s3cret', '[redacted]');
const seen = (rawHeaders: readonly string[], status = 200) =>
  replyHeaders({ status, rawHeaders }, OUTSIDE, { redact, forwarded: forwardedReplyHeaders() });
/** Returns the headers of a reply with the headers of a setting. */
const seenWith = (added: readonly string[], rawHeaders: readonly string[]) =>
  replyHeaders({ status: 200, rawHeaders }, OUTSIDE, { redact, forwarded: forwardedReplyHeaders(added) });

describe('the headers of a passed-on reply', () => {
  it('are those of the orchestrator in their order, with repeated names', () => {
    const raw = ['Content-Type', 'text/plain', 'Link', '<a>', 'link', '<b>', 'ETag', '"1"'];
    assert.deepEqual(seen(raw).flat(), raw);
  });

  it('exclude what concerns the connection or the gateway', () => {
    for (const name of 'Connection Keep-Alive Transfer-Encoding Upgrade Trailer TE X-Request-Id'.split(' '))
      assert.deepEqual(seen([name, 'a']), [], name);
  });

  it('finding N8: exclude a header that nobody has listed, unless the setting of the adapter names it', () => {
    const raw = ['X-Device-State', 'up', 'Invented-In-2031', 'a'];
    assert.deepEqual(seen(raw), []);
    assert.deepEqual(seenWith(['x-device-STATE'], raw), [['X-Device-State', 'up']]);
  });

  it('finding F16: exclude a Link that makes a browser load or connect, but no other Link', () => {
    const rels = `preload "preload" dns-prefetch MODULEPRELOAD compression-dictionary stylesheet manifest
      'preload' "pre\\load"`;
    for (const rel of [
      ...rels.split(/\s+/),
      ...['"next preconnect"', '"alternate stylesheet"', 'next; rel = "preload"'],
      ...['next, </y>;rel=preload', 'self; title="a"; rel=prerender', 'next; a="rel=";rel=preload;b=:"'],
      ...['next; a="rel="b:;rel=preload"', 'next; a="<"; rel=preload; b=">"'],
    ])
      assert.deepEqual(seen(['Link', `<https://a.example/x>; as=script; rel=${rel}`]), [], rel);
    for (const value of [
      '</base/things?page=2>; rel="next", <https://a.example/preload>; rel=self',
      '</base/things?rel=site&page=2>; rel="next last"; title="next"',
      '<https://a.example/x>; rel="https://a.example/relations/site"',
      '<a>',
    ])
      assert.deepEqual(seen(['Link', value]), [['Link', value]]);
  });

  it('exclude the names in Connection', () => {
    const raw = ['connection', 'ETag, close', 'etag', '"1"', 'expires', '0'];
    assert.deepEqual(seen(raw), [['expires', '0']]);
  });

  it('include Content-Length only if it applies', () => {
    assert.deepEqual(seen(['Content-Length', '5']), [['Content-Length', '5']]);
    assert.deepEqual(seen(['Content-Length', '5', 'Transfer-Encoding', 'chunked']), []);
    assert.deepEqual(seen(['Content-Length', '5'], 204), []);
  });

  it('do not repeat the secrets of the adapter', () => {
    assert.deepEqual(seen(['Warning', 'key s3cret']), [['Warning', 'key [redacted]']]);
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
