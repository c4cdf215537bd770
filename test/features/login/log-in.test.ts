import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import { ask } from '../../support/http-server.js';
import { assertMembers } from '../../support/members.js';
import { type LoginApiOptions, serveLogin } from './login-api.js';

function serve(options: LoginApiOptions = {}) {
  const served = serveLogin(options);
  return { ...served, post: (body: object, path = '/login') => ask(served.api.post(path).send(body)) };
}

const ADA = { username: 'ada', password: 'pw ada' };
const COOKIE = 'token=token-of-ada; Path=/; Max-Age=600; HttpOnly; SameSite=Strict';

describe('POST /login', () => {
  for (const [what, body] of [
    ['the form of the platform', { user: ADA }],
    ['the flat form', ADA],
    ['unknown members', { user: { ...ADA, more: 1 }, remember: true }],
    ['both forms, uses the first', { user: ADA, username: 'eve', password: 'x' }],
  ] as const)
    it(`accepts ${what} and returns the token as text and as a cookie`, async () => {
      const { post } = serve();
      const { status, text, headers } = await post(body);
      assert.deepEqual([status, text], [200, 'token-of-ada']);
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
      assert.deepEqual(headers['set-cookie'], [COOKIE]);
      assert.equal(headers['cache-control'], 'no-store');
    });

  it('answers at /login/ and //login as well', async () => {
    const { post } = serve();
    for (const path of ['/login/', '//login']) assert.equal((await post(ADA, path)).status, 200, path);
  });

  it('marks the cookie as Secure when the server, or a proxy that loaded the page, serves TLS', async () => {
    for (const [servesTls, headers, cookie] of [
      [true, {}, `${COOKIE}; Secure`],
      [false, { origin: 'https://gateway.test' }, `__Host-${COOKIE}; Secure`],
      [false, { origin: 'http://gateway.test' }, COOKIE],
    ] as const) {
      const answer = await ask(serve({ servesTls }).api.post('/login').set(headers).send(ADA));
      assert.deepEqual(answer.headers['set-cookie'], [cookie]);
    }
  });

  it('answers a wrong password with the message that clients show, without a cookie and a challenge', async () => {
    const { post } = serve();
    const { status, body, headers } = await post({ ...ADA, password: 'canary-pw' });
    assert.equal(status, 401);
    assertMembers(body, { message: 'Invalid credentials', code: 'invalid_credentials', error: undefined });
    assertMembers(headers, { 'set-cookie': undefined, 'www-authenticate': undefined });
    assert.ok(!JSON.stringify(body).includes('canary'));
  });

  it('rejects a client account, and every login without a built-in issuer', async () => {
    assert.equal((await serve().post({ username: 'backup', password: 's3cret+%' })).status, 401);
    assert.equal((await serve({ hasIssuer: false }).post(ADA)).status, 401);
  });

  it('rejects an invalid body before it checks any credentials', async () => {
    const { post, attempts } = serve();
    const long = 'x'.repeat(1025);
    const names = ['', 1, ['ada'], long.slice(0, 257)].map((username) => ({ username, password: 'x' }));
    const nested = [{ user: 'ada' }, { user: { username: 'ada' } }, { user: {}, ...ADA }];
    const flat = [{}, { username: 'ada' }, { username: 'ada', password: long }];
    for (const body of [...names, ...nested, ...flat]) {
      const answer = await post(body);
      assert.deepEqual([answer.status, answer.body['code']], [400, 'invalid_request'], JSON.stringify(body));
      assert.ok(!answer.text.includes(long.slice(0, 99)));
    }
    assert.deepEqual(attempts, []);
  });

  it('answers 429 with Retry-After while the name is locked', async () => {
    const failure = new Problem('too_many_requests', 'Later.', { headers: { 'retry-after': '7' } });
    const { status, headers } = await serve({ failure }).post(ADA);
    assert.deepEqual([status, headers['retry-after']], [429, '7']);
  });

  it('writes audit records of caller, address and outcome, without passwords and tokens', async () => {
    const { post, records, lines } = serve();
    await post(ADA);
    await post({ ...ADA, password: 'canary-pw' });
    assertMembers(records, [
      { operation: 'login.login', status: 200, outcome: /^token f00\.\.\. given, ada, from [\d.:a-f]+$/ },
      { operation: 'login.login', status: 401, outcome: /^invalid_credentials, someone, from [\d.:a-f]+$/ },
    ]);
    assert.doesNotMatch(JSON.stringify([records, lines]), /pw ada|canary|token-of/);
  });
});
