import assert from 'node:assert/strict';
import request from 'supertest';
import { Problem } from '../../../src/core/problem.js';
import { ask, buildHouse } from '../../support/http-server.js';
import { type DeskOptions, openDesk } from './desk.js';

function serve(options: DeskOptions = {}) {
  const desk = openDesk(options);
  const house = buildHouse({ operations: desk.operations, deps: { bodyBytes: 10_000 } });
  const api = request(house.handler);
  return { ...desk, ...house, api, post: (body: object, path = '/login') => ask(api.post(path).send(body)) };
}

const ADA = { username: 'ada', password: 'pw ada' };
const COOKIE = 'token=token-of-ada; Path=/; Max-Age=600; HttpOnly; SameSite=Strict';

describe('POST /login', () => {
  for (const [what, body] of [
    ['the form of the platform', { user: ADA }],
    ['the flat form', ADA],
    ['members that nobody asked for', { user: { ...ADA, more: 1 }, remember: true }],
    ['both forms, of which the first counts', { user: ADA, username: 'eve', password: 'x' }],
  ] as const)
    it(`takes ${what}, and answers the token as text and as cookie`, async () => {
      const { post } = serve();
      const { status, text, headers } = await post(body);
      assert.deepEqual([status, text], [200, 'token-of-ada']);
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
      assert.deepEqual(headers['set-cookie'], [COOKIE]);
      assert.equal(headers['cache-control'], 'no-store');
    });

  it('answers at /login/ and //login as well', async () => {
    const { post } = serve();
    assert.equal((await post(ADA, '/login/')).status, 200);
    assert.equal((await post(ADA, '//login')).status, 200);
  });

  it('lets the cookie go over TLS alone where the server speaks it', async () => {
    const { headers } = await serve({ servesTls: true }).post(ADA);
    assert.deepEqual(headers['set-cookie'], [`${COOKIE}; Secure`]);
  });

  it('lets the cookie go over TLS alone where a page says that it came by TLS, before a proxy that ends it', async () => {
    const { api } = serve();
    for (const [origin, cookie] of [
      ['https://gateway.test', `${COOKIE}; Secure`],
      ['http://gateway.test', COOKIE],
    ] as const) {
      const { headers } = await ask(api.post('/login').set({ origin }).send(ADA));
      assert.deepEqual(headers['set-cookie'], [cookie]);
    }
  });

  it('answers a wrong password with the words that clients show, without cookie and challenge', async () => {
    const { post } = serve();
    const { status, body, headers } = await post({ ...ADA, password: 'canary-pw' });
    assert.deepEqual(
      [status, body['message'], body['code']],
      [401, 'Invalid credentials', 'invalid_credentials'],
    );
    assert.deepEqual(
      [headers['set-cookie'], headers['www-authenticate'], body['error']],
      [undefined, undefined, undefined],
    );
    assert.ok(!JSON.stringify(body).includes('canary'));
  });

  it('lets in no client', async () => {
    assert.equal((await serve().post({ username: 'backup', password: 's3cret+%' })).status, 401);
  });

  it('refuses what is no login before anything is looked at', async () => {
    const { post, attempts } = serve();
    const long = 'x'.repeat(1025);
    for (const body of [
      {},
      { user: 'ada' },
      { user: { username: 'ada' } },
      { user: {}, ...ADA },
      { username: 'ada' },
      { username: '', password: 'x' },
      { username: 1, password: 'x' },
      { username: ['ada'], password: 'x' },
      { username: long.slice(0, 257), password: 'x' },
      { username: 'ada', password: long },
    ]) {
      const answer = await post(body);
      assert.deepEqual([answer.status, answer.body['code']], [400, 'invalid_request'], JSON.stringify(body));
      assert.ok(!answer.text.includes(long.slice(0, 99)));
    }
    assert.deepEqual(attempts, []);
  });

  it('passes on that a name is locked', async () => {
    const failure = new Problem('too_many_requests', 'Later.', { headers: { 'retry-after': '7' } });
    const { status, headers } = await serve({ failure }).post(ADA);
    assert.deepEqual([status, headers['retry-after']], [429, '7']);
  });

  it('gives nothing where nobody signs', async () => {
    assert.equal((await serve({ hasIssuer: false }).post(ADA)).status, 401);
  });

  it('is recorded: who, from where, and how it ended; no password and no token', async () => {
    const { post, records, lines } = serve();
    await post(ADA);
    await post({ ...ADA, password: 'canary-pw' });
    assert.deepEqual(
      records.map(({ operation, status, outcome }) => [
        operation,
        status,
        outcome.replace(/from .*/, 'from X'),
      ]),
      [
        ['login.login', 200, 'token f00... given, ada, from X'],
        ['login.login', 401, 'invalid_credentials, someone, from X'],
      ],
    );
    assert.doesNotMatch(JSON.stringify([records, lines]), /pw ada|canary|token-of/);
  });
});
