import assert from 'node:assert/strict';
import request from 'supertest';
import { Problem } from '../../../src/core/problem.js';
import { ask, buildHouse } from '../../support/http-server.js';
import { type DeskOptions, openDesk } from './desk.js';

function serve(options: DeskOptions = {}) {
  const desk = openDesk(options);
  const house = buildHouse({ operations: desk.operations, deps: { bodyBytes: 10_000 } });
  return { ...desk, ...house, api: request(house.handler) };
}

describe('GET /console/sign-in', () => {
  const ways = async (options: DeskOptions): Promise<object> =>
    (await ask(serve(options).api.get('/console/sign-in'))).body;

  it('tells the ways there are', async () => {
    const issuers = [{ issuer: 'https://idp.test', name: 'Example' }];
    assert.deepEqual(await ways({}), { local: true, token: true, cookies: true, issuers });
  });

  it('tells of no password where nobody signs or nobody has one, and that cookies are closed', async () => {
    assert.deepEqual((await ways({ hasIssuer: false }))['local' as never], false);
    assert.deepEqual((await ways({ hasUsers: false }))['local' as never], false);
    assert.deepEqual((await ways({ accept: ['bearer'] }))['cookies' as never], false);
  });
});

describe('POST /console/session', () => {
  const show = (options: DeskOptions, headers: Readonly<Record<string, string>> = {}) =>
    ask(serve(options).api.post('/console/session').set(headers).send({ token: 'token-of-ada' }));

  it('gives a token back as a cookie that lives as long as the token', async () => {
    const { status, body, headers } = await show({});
    assert.deepEqual([status, body['username']], [200, 'ada']);
    assert.deepEqual(headers['set-cookie'], [
      'token=token-of-ada; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
    ]);
  });

  it('lets the cookie go over TLS alone where the server speaks it, or the page came by it', async () => {
    const mark = { 'x-gatehouse-csrf': '1', 'sec-fetch-site': 'same-origin' };
    for (const { headers } of [
      await show({ servesTls: true }),
      await show({}, { ...mark, origin: 'https://gateway.test' }),
    ])
      assert.match(String(headers['set-cookie']), /; Secure$/);
    const { headers } = await show({}, { ...mark, origin: 'http://gateway.test' });
    assert.doesNotMatch(String(headers['set-cookie']), /Secure/);
  });
});

describe('DELETE /console/session', () => {
  it('removes the cookie, and ends the tokens that are good', async () => {
    const { api, ended } = serve();
    const { body, headers } = await ask(
      api.delete('/console/session').set('cookie', 'a=b; token=bad; token=token-of-ada; token=token-of-ada'),
    );
    assert.deepEqual(body, { ended: true });
    assert.deepEqual(headers['set-cookie'], ['token=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict']);
    assert.deepEqual(ended, ['token-of-ada']);
  });

  it('removes it where the other nodes cannot be told, and says so', async () => {
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

  it('removes it for nobody as well', async () => {
    assert.deepEqual((await ask(serve().api.delete('/console/session'))).body, { ended: false });
  });
});

describe('GET /console/oidc/begin', () => {
  it('begins nothing where a page of another site leads there, but shows the ways there are', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const leading = serve().api.get('/console/oidc/begin?issuer=https://idp.test&return=/docs');
      const { status, headers } = await ask(leading.set('sec-fetch-site', site));
      assert.deepEqual([status, headers['location']], [303, '/ui/sign-in?return=%2Fdocs']);
      assert.equal(headers['set-cookie'], undefined);
    }
  });
});

describe('GET /console/oidc/callback', () => {
  it('takes one sign-in at a time', async () => {
    const { api } = serve();
    const { status, headers } = await ask(
      api.get('/console/oidc/callback?state=a').set('cookie', 'gatehouse-sign-in=a; gatehouse-sign-in=b'),
    );
    assert.deepEqual([status, headers['location']], [303, '/ui/sign-in?problem=state_mismatch']);
    assert.deepEqual(headers['set-cookie'], [
      'gatehouse-sign-in=; Path=/console/oidc; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
  });
});
