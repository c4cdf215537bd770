import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import { ask } from '../../support/http-server.js';
import { type LoginApiOptions, serveLogin as serve } from './login-api.js';

describe('GET /console/sign-in', () => {
  const methodsOf = async (options: LoginApiOptions): Promise<object> =>
    (await ask(serve(options).api.get('/console/sign-in'))).body;

  it('lists the available sign-in methods', async () => {
    const issuers = [{ issuer: 'https://idp.test', name: 'Example' }];
    assert.deepEqual(await methodsOf({}), { local: true, token: true, cookies: true, issuers });
  });

  it('reports no local login without an issuer or users, and no cookies if they are not accepted', async () => {
    assert.deepEqual((await methodsOf({ hasIssuer: false }))['local' as never], false);
    assert.deepEqual((await methodsOf({ hasUsers: false }))['local' as never], false);
    assert.deepEqual((await methodsOf({ accept: ['bearer'] }))['cookies' as never], false);
  });
});

describe('POST /console/session', () => {
  const createSession = (options: LoginApiOptions, headers: Readonly<Record<string, string>> = {}) =>
    ask(serve(options).api.post('/console/session').set(headers).send({ token: 'token-of-ada' }));

  it('sets the token as a cookie that expires with the token', async () => {
    const { status, body, headers } = await createSession({});
    assert.deepEqual([status, body['username']], [200, 'ada']);
    assert.deepEqual(headers['set-cookie'], [
      'token=token-of-ada; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
    ]);
  });

  it('finding F17: sets a cookie that only this host can set for a browser over TLS, and no other cookie', async () => {
    const cookie = '__Host-token=token-of-ada; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure';
    const mark = { 'x-gatehouse-csrf': '1', 'sec-fetch-site': 'same-origin' };
    for (const { headers } of [
      await createSession({ servesTls: true }, mark),
      await createSession({ publicOrigin: 'https://gateway.test' }, mark),
      await createSession({}, { ...mark, origin: 'https://gateway.test' }),
    ])
      assert.deepEqual(headers['set-cookie'], [cookie]);
    const { headers } = await createSession({ publicOrigin: 'https://gateway.test' });
    assert.match(String(headers['set-cookie']), /^token=/);
  });
});

describe('DELETE /console/session', () => {
  it('removes the cookie and revokes its valid tokens', async () => {
    const { api, ended } = serve();
    const { body, headers } = await ask(
      api.delete('/console/session').set('cookie', 'a=b; token=bad; token=token-of-ada; token=token-of-ada'),
    );
    assert.deepEqual(body, { ended: true });
    assert.deepEqual(headers['set-cookie'], ['token=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict']);
    assert.deepEqual(ended, ['token-of-ada']);
  });

  it('removes the cookie and reports that other nodes may still accept the token', async () => {
    const endFailure = new Problem('store_unavailable', 'away', { headers: { 'retry-after': '2' } });
    const { api, ended } = serve({ endFailure });
    const { status, body, headers } = await ask(
      api.delete('/console/session').set('cookie', 'token=token-of-ada'),
    );
    assert.deepEqual([status, body['code']], [503, 'store_unavailable']);
    assert.match(String(body['detail']), /^This server refuses the token from now on/);
    assert.deepEqual(headers['set-cookie'], ['token=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict']);
    assert.equal(headers['retry-after'], '2');
    assert.deepEqual(ended, ['token-of-ada']);
  });

  it('revokes the token of the Authorization header (bug: it did nothing and answered 200)', async () => {
    const { api, ended } = serve();
    const { status, body } = await ask(
      api.delete('/console/session').set({ authorization: 'Bearer token-of-ada', 'x-gatehouse-csrf': '1' }),
    );
    assert.deepEqual([status, body], [200, { ended: true }]);
    assert.deepEqual(ended, ['token-of-ada']);
  });

  for (const authorization of ['Bearer bad', 'Basic YTpi', 'Bearer'])
    it(`rejects the header "${authorization}", so that nobody takes the reply for a revocation`, async () => {
      const { api, ended } = serve();
      const { status, body } = await ask(api.delete('/console/session').set({ authorization }));
      assert.deepEqual([status, body['code']], [401, 'unauthorized']);
      assert.deepEqual(ended, []);
    });

  it('removes the cookie of an anonymous caller as well', async () => {
    assert.deepEqual((await ask(serve().api.delete('/console/session'))).body, { ended: false });
  });
});

describe('finding F17: DELETE /console/session of a browser over TLS', () => {
  it('revokes and removes the cookie with the prefix only', async () => {
    const { api, ended } = serve({ servesTls: true });
    const mark = { 'x-gatehouse-csrf': '1', 'sec-fetch-site': 'same-origin' };
    const signOut = (cookie: string) => ask(api.delete('/console/session').set({ ...mark, cookie }));
    assert.deepEqual((await signOut('token=token-of-ada')).body, { ended: false });
    const { headers } = await signOut('__Host-token=token-of-ada');
    assert.deepEqual(headers['set-cookie'], [
      '__Host-token=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    ]);
    assert.deepEqual(ended, ['token-of-ada']);
  });
});

describe('GET /console/oidc/begin', () => {
  it('redirects to the sign-in page without starting a flow when another site links to it', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const leading = serve().api.get('/console/oidc/begin?issuer=https://idp.test&return=/docs');
      const { status, headers } = await ask(leading.set('sec-fetch-site', site));
      assert.deepEqual([status, headers['location']], [303, '/ui/sign-in?return=%2Fdocs']);
      assert.equal(headers['set-cookie'], undefined);
    }
  });
});

/** Name of the cookie of the attempt with the state `a`. */
const ATTEMPT = 'gatehouse-sign-in-ca978112ca1b';

describe('GET /console/oidc/callback', () => {
  it('rejects a request with two sign-in cookies', async () => {
    const { api } = serve();
    const { status, headers } = await ask(
      api.get('/console/oidc/callback?state=a').set('cookie', `${ATTEMPT}=a; ${ATTEMPT}=b`),
    );
    assert.equal(status, 303);
    assert.match(headers['location'] ?? '', /^\/ui\/sign-in\?problem=state_mismatch&request=[0-9a-f-]{36}$/);
    assert.deepEqual(headers['set-cookie'], [
      `${ATTEMPT}=; Path=/console/oidc; Max-Age=0; HttpOnly; SameSite=Lax`,
    ]);
  });

  it('finding F17: over TLS reads only the sign-in cookie that other hosts cannot set', async () => {
    const { api } = serve({ publicOrigin: 'https://gateway.test' });
    const { headers } = await ask(
      api
        .get('/console/oidc/callback?state=a')
        .set('cookie', `${ATTEMPT}=a; ${ATTEMPT}=b; __Host-${ATTEMPT}=c`),
    );
    assert.match(headers['location'] ?? '', /^\/ui\/sign-in\?problem=denied&request=[0-9a-f-]{36}$/);
    assert.deepEqual(headers['set-cookie'], [
      `__Host-${ATTEMPT}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure`,
    ]);
  });
});

describe('the renewable session', () => {
  const away = new Problem('store_unavailable', 'away');
  const session = 'gatehouse-session=of-bob';

  it('is replaced by none if the database is away, so that a renewal never returns to an earlier person', async () => {
    const principal = { subject: 'ada', issuer: 'https://idp.test', roles: [], expiresAt: 1_060 };
    const { api } = serve({
      sessions: { start: () => Promise.reject(away) },
      signIns: { finish: () => Promise.resolve({ token: 'token-of-ada', principal, returnTo: '/ui/' }) },
    });
    const { status, headers } = await ask(api.get('/console/oidc/callback?state=a').set('cookie', session));
    assert.equal(status, 200);
    assert.deepEqual((headers['set-cookie'] as unknown as string[]).slice(0, 2), [
      'token=token-of-ada; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
      'gatehouse-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
  });

  it('loses its cookie at a sign-out while the database is away', async () => {
    const { api, ended } = serve({ sessions: { end: () => Promise.reject(away) } });
    const { status, headers } = await ask(
      api.delete('/console/session').set('cookie', `token=token-of-ada; ${session}`),
    );
    assert.equal(status, 503);
    assert.deepEqual(headers['set-cookie'], [
      'token=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
      'gatehouse-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
    assert.deepEqual(ended, ['token-of-ada']);
  });

  it('ends here only if the provider does not answer at a sign-out', async () => {
    const { api } = serve({
      sessions: { end: () => Promise.resolve({ issuer: 'https://idp.test', subject: 'bob', idToken: 'i' }) },
      signIns: { signOutUrl: () => Promise.reject(new Error('away')) },
    });
    const { body } = await ask(api.delete('/console/session').set('cookie', session));
    assert.deepEqual(body, { ended: true });
  });

  it('is not renewed, and removes no cookie, without a session', async () => {
    const { api } = serve();
    const { body, headers } = await ask(api.post('/console/session/renew').send({ idleSeconds: 0 }));
    assert.deepEqual(body, { state: 'ended', reason: 'the browser has no session' });
    assert.equal(headers['set-cookie'], undefined);
  });
});
