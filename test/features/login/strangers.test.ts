import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { request } from 'undici';
import { describeOperations } from '../../../src/features/operations.js';
import { column } from '../../support/columns.js';
import { buildTestApi } from '../../support/http-server.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { openLoginApi } from './login-api.js';

const FLOOD = 200;
const AT_ONCE = 50;

/** Records that a network may cause in a minute: 20 of checked calls, and one of unchecked refusals. */
const MAX_RECORDS = 21;

interface Sent {
  readonly method: 'DELETE' | 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const callback = '/console/oidc/callback';
const OWN_COOKIE = { cookie: 'gatehouse-sign-in-ca978112ca1b=forged' };
const OWN_PAGE = { 'x-gatehouse-csrf': '1', 'sec-fetch-site': 'same-origin' };

/** Requests of strangers to every audited operation that needs no token, by the name of the operation. */
const REQUESTS: Readonly<Record<string, readonly Sent[]>> = {
  'login.login': [{ method: 'POST', path: '/login', body: { username: 'eve', password: 'guess' } }],
  'login.getToken': [
    { method: 'POST', path: '/oauth/token', body: {} },
    { method: 'POST', path: '/oauth/token', body: { grant_type: 'password' } },
    {
      method: 'POST',
      path: '/oauth/token',
      body: { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' },
    },
  ],
  'login.openSession': [
    { method: 'POST', path: '/console/session', body: { token: 'junk' }, headers: OWN_PAGE },
    { method: 'POST', path: '/console/session', body: { token: 'junk' } },
    {
      method: 'POST',
      path: '/console/session',
      body: { token: 'j' },
      headers: { 'sec-fetch-site': 'cross-site' },
    },
  ],
  'login.closeSession': [
    { method: 'DELETE', path: '/console/session' },
    { method: 'DELETE', path: '/console/session', headers: { authorization: 'Bearer junk' } },
    { method: 'DELETE', path: '/console/session', headers: { cookie: 'token=junk; gatehouse-session=junk' } },
    {
      method: 'DELETE',
      path: '/console/session',
      headers: { 'sec-fetch-site': 'cross-site', cookie: 'token=a' },
    },
  ],
  'login.renewSession': [
    { method: 'POST', path: '/console/session/renew', body: { idleSeconds: 0 } },
    {
      method: 'POST',
      path: '/console/session/renew',
      body: { idleSeconds: 0 },
      headers: { cookie: 'gatehouse-session=junk' },
    },
    {
      method: 'POST',
      path: '/console/session/renew',
      body: { idleSeconds: 0 },
      headers: { 'sec-fetch-site': 'cross-site' },
    },
  ],
  'login.finishSignIn': [
    { method: 'GET', path: `${callback}?state=x&code=y` },
    { method: 'GET', path: `${callback}?state=a&code=y`, headers: OWN_COOKIE },
    { method: 'GET', path: `${callback}?state=a&error=access_denied`, headers: OWN_COOKIE },
  ],
  'login.backChannelLogout': [
    { method: 'POST', path: '/console/oidc/back-channel-logout', body: { logout_token: 'a.b.c' } },
  ],
};

/** Sends a request, and returns the status of its reply. */
async function send(host: string, { method, path, body, headers }: Sent): Promise<number> {
  const reply = await request(`http://${host}${path}`, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body ? JSON.stringify(body) : null,
  });
  await reply.body.dump();
  return reply.statusCode;
}

describe('strangers', () => {
  it('have a request in this file for every audited operation without roles', () => {
    const open = describeOperations().filter(({ row }) => row.audited && row.roles === 'public');
    assert.deepEqual([...column(open, 'name')].sort(), Object.keys(REQUESTS).sort());
  });

  for (const [name, requests] of Object.entries(REQUESTS))
    it(`leave at most ${MAX_RECORDS} records of ${FLOOD} requests to ${name} in a minute (bug: one each)`, async () => {
      const { operations } = openLoginApi();
      const deps = { clock: { now: () => 1_000_000 }, bodyBytes: 10_000 };
      const { handler, records } = buildTestApi({ operations, deps });
      const server = createServer(handler);
      const { host, close } = await listenOnLoopback(server);
      try {
        const statuses = new Set<number>();
        for (let sent = 0; sent < FLOOD; sent += AT_ONCE) {
          const replies = Array.from({ length: AT_ONCE }, (_, at) => {
            return send(host, requests[(sent + at) % requests.length] ?? assert.fail());
          });
          for (const status of await Promise.all(replies)) statuses.add(status);
        }
        assert.ok(!statuses.has(404) && !statuses.has(500), [...statuses].join());
        assert.ok(records.length <= MAX_RECORDS, `${records.length} records`);
      } finally {
        await close();
      }
    });
});
