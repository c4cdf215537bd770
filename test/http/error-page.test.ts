import assert from 'node:assert/strict';
import request from 'supertest';
import { bindApplication, type Operation } from '../../src/core/operation.js';
import { ask, buildTestApi, demo, operationRow, TOKENS } from '../support/http-server.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const show = (id: string, more: Parameters<typeof operationRow>[2] = {}) =>
  operationRow(id, 'GET', { path: `/${id}`, handle: () => ({ body: '<p>hi</p>' }), ...more });
const pages: typeof demo = {
  ...demo,
  operations: [
    show('page', { replyType: 'text/html; charset=utf-8' }),
    show('data'),
    show('text', { replyType: 'text/plain' }),
  ],
};
const { handler, lines } = buildTestApi({ operations: bindApplication(pages, {}) });

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  ask(request(handler).get(path).set(headers));

describe('the refusal of an HTML page', () => {
  it('is a sign-in page for a browser, with the return path and without a token', async () => {
    const { status, text, headers } = await get('/demo/page?a=%26"&token=t0ken&b', { accept: BROWSER });
    assert.equal(status, 401);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['www-authenticate'], 'Bearer');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; .*frame-ancestors 'none'/);
    assert.match(text, /href="\/ui\/sign-in\?return=%2Fdemo%2Fpage%3Fa%3D%2526%2522%26b"/);
    assert.doesNotMatch(text, /t0ken|<script|style=| on[a-z]+=/);
    assert.match(JSON.stringify(lines.at(-1)), /"unauthorized".*"not a token of the test"/);
  });

  it('is a page that names itself and the required role for a caller without that role', async () => {
    const headers = { accept: BROWSER, authorization: `Bearer ${TOKENS.reader}` };
    const { status, text } = await get('/demo/page', headers);
    assert.equal(status, 403);
    assert.match(text, /<p>The page \/demo\/page needs one of these roles: admin\./);
    assert.match(text, /Signed in as<\/dt>\s*<dd>\w+<\/dd>\s*<dt>Your roles<\/dt>\s*<dd>readonly<\/dd>/);
    assert.match(text, /\/ui\/sign-in\?return=%2Fdemo%2Fpage/);
  });

  it('reloads itself once after a link from another site, for which the browser omits the cookie', async () => {
    const from = (site: string) => get('/demo/page?a=1&token=x', { accept: BROWSER, 'sec-fetch-site': site });
    const { status, text } = await from('cross-site');
    assert.equal(status, 401);
    assert.match(text, /<meta http-equiv="refresh" content="0; url=\/demo\/page\?a=1">/);
  });

  it('goes straight to the sign-in, which a frame of another page only links to', async () => {
    const from = (dest: string) =>
      get('/demo/page?a=1', { accept: BROWSER, 'sec-fetch-site': 'none', 'sec-fetch-dest': dest });
    const { text } = await from('document');
    assert.match(
      text,
      /<meta http-equiv="refresh" content="0; url=\/ui\/sign-in\?return=%2Fdemo%2Fpage%3Fa%3D1">/,
    );
    const framed = (await from('iframe')).text;
    assert.doesNotMatch(framed, /http-equiv="refresh"/);
    assert.match(framed, /href="\/ui\/sign-in\?return=/);
  });

  const table: readonly (readonly [string, Readonly<Record<string, string>>, boolean])[] = [
    ['a navigating browser', { accept: BROWSER, 'sec-fetch-mode': 'navigate' }, true],
    ['an old browser', { accept: BROWSER }, true],
    ['a client that prefers HTML', { accept: 'application/json;q=0.5, text/html' }, true],
    ['a script in a page', { accept: BROWSER, 'sec-fetch-mode': 'cors' }, false],
    ['a client that prefers JSON', { accept: 'text/html;q=0.5, application/json' }, false],
    [
      'a client that prefers problem documents',
      { accept: 'text/html;q=0.9, application/problem+json' },
      false,
    ],
    ['a client that excludes HTML', { accept: 'text/html;q=0, */*' }, false],
    ['a client that accepts any type', { accept: '*/*' }, false],
    ['a client without an Accept header', {}, false],
    ['a client with a malformed Accept header', { accept: ';;q=x,,text/html;q=' }, false],
  ];
  for (const [who, headers, isPage] of table)
    it(`is a ${isPage ? 'page' : 'problem'} for ${who}`, async () => {
      const { status, headers: answered } = await get('/demo/page', headers);
      assert.equal(status, 401);
      assert.match(answered['content-type'] ?? '', isPage ? /^text\/html/ : /^application\/problem\+json/);
    });

  it('is a problem for operations that do not serve HTML', async () => {
    for (const path of ['/demo/data', '/demo/text', '/demo/nothing'])
      assert.match(
        (await get(path, { accept: BROWSER })).headers['content-type'] ?? '',
        /^application\/problem\+json/,
      );
  });
});

async function replyOf(handle: Operation<object>['handle']) {
  const operation = show('own', { roles: 'public', conditional: true, handle });
  const testApp = buildTestApi({ operations: bindApplication({ ...demo, operations: [operation] }, {}) });
  return ask(request(testApp.handler).get('/demo/own').redirects(0));
}

describe('a reply that is not modified', () => {
  it('is a 304 without a body and its media type, with the headers of the reply', async () => {
    const headers = { etag: '"a"', 'cache-control': 'public, max-age=60' };
    const reply = await replyOf(() => ({ body: 'not sent', notModified: true, headers }));
    assert.deepEqual([reply.status, reply.text], [304, '']);
    const { etag, 'cache-control': control, 'content-type': type, 'content-length': length } = reply.headers;
    assert.deepEqual([etag, control, type, length], ['"a"', 'public, max-age=60', undefined, undefined]);
  });
});

describe('a reply with a location', () => {
  it('is a 303 without a body, with the headers of the reply', async () => {
    const headers = { 'set-cookie': ['a=1', 'b=2'] };
    const reply = await replyOf(() => ({ body: 'not sent', location: '/else?a=b', headers }));
    assert.deepEqual([reply.status, reply.text], [303, '']);
    const { location, 'content-length': length, 'content-type': type } = reply.headers;
    assert.deepEqual([location, length, type], ['/else?a=b', '0', undefined]);
    assert.deepEqual(reply.headers['set-cookie'], ['a=1', 'b=2']);
    assert.equal(reply.headers['cache-control'], 'no-store');
  });
});
