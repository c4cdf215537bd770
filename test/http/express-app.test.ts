import assert from 'node:assert/strict';
import request from 'supertest';
import { createApp } from '../../src/http/express-app.js';
import { ask, buildTestApi, TOKENS } from '../support/http-server.js';

const { handler, lines } = buildTestApi();
const api = request(handler);
const asAdmin = { authorization: `Bearer ${TOKENS.admin}` };

describe('the Express router', () => {
  for (const path of [
    '/demo/things/a',
    '/old_demo/things/a',
    '/demo/things/a/',
    '//demo///things//a',
    '/demo/things/a?x=1',
  ])
    it(`finds the operation for ${path}`, async () => {
      const { status, body } = await ask(api.get(path).set(asAdmin));
      assert.deepEqual([status, body['params']], [200, { name: 'a' }]);
    });

  it('redirects a browser from / to the console, and no other client', async () => {
    const withConsole = request(
      createApp({
        operations: [],
        serve: () => Promise.resolve(),
        refuse: ({ res }) => {
          res.statusCode = 404;
          res.end();
          return Promise.resolve();
        },
        console: (_req, _res, next) => {
          next();
        },
      }),
    );
    const page = await withConsole.get('/').set('accept', 'text/html,application/xhtml+xml');
    assert.deepEqual([page.status, page.headers['location']], [303, '/ui/']);
    for (const accept of ['application/json', '*/*'])
      assert.equal((await withConsole.get('/').set('accept', accept)).status, 404);
  });

  it('decodes path parameters once', async () => {
    const { body } = await ask(api.get('/demo/things/a%2Fb%2520c%C3%A9').set(asAdmin));
    assert.deepEqual(body['params'], { name: 'a/b%20cé' });
  });

  it('passes on the query unchanged', async () => {
    const { body } = await ask(api.get('/demo/things/a?b=1&b=2&c[d]=%20&__proto__=x').set(asAdmin));
    assert.deepEqual(body['query'], [
      ['b', '1'],
      ['b', '2'],
      ['c[d]', ' '],
      ['__proto__', 'x'],
    ]);
  });

  it('prefers literal segments, and falls back to parameters for other methods', async () => {
    const literal = await ask(api.post('/demo/things/import').set(asAdmin).send({ name: 'x' }));
    assert.deepEqual(literal.body['params'], {});
    const named = await ask(api.get('/demo/things/import').set(asAdmin));
    assert.deepEqual(named.body['params'], { name: 'import' });
  });

  for (const path of [
    '/',
    '/nothing',
    '/Demo/things/a',
    '/demo/thing',
    '/demo/things/a/b/c',
    '/demo/../demo/status',
  ])
    it(`answers 404 for ${path}`, async () => {
      const { status, body, headers } = await ask(api.get(path).set(asAdmin));
      assert.equal(status, 404);
      assert.equal(body['code'], 'not_found');
      assert.match(headers['content-type'] ?? '', /^application\/problem\+json/);
    });

  for (const [method, path, allow] of [
    ['post', '/demo/status', 'GET, HEAD'],
    ['get', '/demo/things', 'DELETE, POST'],
    ['patch', '/demo/things/a', 'GET, HEAD, PUT'],
    ['options', '/demo/things/a', 'GET, HEAD, PUT'],
    ['trace', '/demo/status', 'GET, HEAD'],
    ['patch', '/demo/things/import', 'GET, HEAD, POST, PUT'],
    ['head', '/demo/things', 'DELETE, POST'],
  ] as const)
    it(`answers ${method} ${path} with 405 and Allow`, async () => {
      const { status, headers } = await ask(api[method](path));
      assert.deepEqual([status, headers['allow']], [405, allow]);
    });

  it('ignores override headers for the method and the path', async () => {
    const { status } = await ask(
      api
        .post('/demo/status')
        .set({ 'x-http-method-override': 'GET', 'x-original-url': '/demo/status', 'x-rewrite-url': '/' }),
    );
    assert.equal(status, 405);
  });

  it('answers HEAD as GET without the body', async () => {
    const get = await ask(api.get('/demo/status'));
    const head = await ask(api.head('/demo/status'));
    assert.equal(head.status, 200);
    assert.equal(head.headers['content-length'], get.headers['content-length']);
    assert.equal(head.text, undefined);
  });

  it('refuses malformed targets, and explains the refusal', async () => {
    const { status, body } = await ask(api.get('/demo/things/%zz'));
    assert.equal(status, 400);
    const { code, detail, instance } = body as Record<string, string>;
    assert.deepEqual([code, instance], ['malformed_request', '/demo/things/%zz']);
    assert.equal(detail, 'The request target is not percent-encoded UTF-8.');
  });

  it('sets the security headers on every reply, and does not name its software', async () => {
    for (const path of ['/demo/status', '/nothing', '/demo/things/a', '/%zz']) {
      const { headers } = await ask(api.get(path));
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
      assert.match(headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(headers['x-powered-by'] ?? headers['etag'], undefined);
    }
  });

  it('passes an unexpected error of the pipeline to the error handler', async () => {
    const refused: unknown[] = [];
    const broken = createApp({
      operations: buildTestApi().operations,
      serve: () => Promise.reject(new Error('bug')),
      refuse: ({ res }, error) => {
        refused.push(error);
        res.writeHead(500).end();
        return Promise.resolve();
      },
    });
    assert.equal((await request(broken).get('/demo/status')).status, 500);
    assert.match(String(refused), /^Error: bug$/);
  });

  it('logs an access line for a path without an operation', async () => {
    lines.length = 0;
    const { headers } = await ask(api.get('/nothing?token=hush'));
    const [line] = lines;
    assert.equal(lines.length, 1);
    assert.equal(typeof line?.fields['ms'], 'number');
    assert.deepEqual(
      { ...line?.fields, ms: 0 },
      {
        method: 'GET',
        path: '/nothing',
        status: 404,
        ms: 0,
        clientAddress: '127.0.0.1',
        requestId: headers['x-request-id'],
        code: 'not_found',
      },
    );
  });
});
