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
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const OWN_COOKIE = { cookie: 'gatehouse-sign-in-ca978112ca1b=forged' };
const OWN_PAGE = { 'x-gatehouse-csrf': '1', 'sec-fetch-site': 'same-origin' };
const OTHER_SITE = { 'sec-fetch-site': 'cross-site' };
const GRANT = { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' };

/** Requests of strangers to every audited operation that needs no token: the method and path, and what they send. */
const REQUESTS: Readonly<Record<string, Readonly<Record<string, readonly Sent[]>>>> = {
  'login.login': { 'POST /login': [{ body: { username: 'eve', password: 'guess' } }] },
  'login.getToken': {
    'POST /oauth/token': [{ body: {} }, { body: { grant_type: 'password' } }, { body: GRANT }],
  },
  'login.openSession': {
    'POST /console/session': [
      { body: { token: 'junk' }, headers: OWN_PAGE },
      { body: { token: 'junk' } },
      { body: { token: 'j' }, headers: OTHER_SITE },
    ],
  },
  'login.closeSession': {
    'DELETE /console/session': [
      ...[
        {},
        { headers: { authorization: 'Bearer junk' } },
        { headers: { ...OTHER_SITE, cookie: 'token=a' } },
      ],
      { headers: { cookie: 'token=junk; gatehouse-session=junk' } },
    ],
  },
  'login.renewSession': {
    'POST /console/session/renew': [{}, { cookie: 'gatehouse-session=junk' }, OTHER_SITE].map((headers) => {
      return { body: { idleSeconds: 0 }, headers };
    }),
  },
  'login.finishSignIn': {
    'GET /console/oidc/callback?state=x&code=y': [{}],
    'GET /console/oidc/callback?state=a&code=y': [{ headers: OWN_COOKIE }],
    'GET /console/oidc/callback?state=a&error=access_denied': [{ headers: OWN_COOKIE }],
  },
  'login.backChannelLogout': {
    'POST /console/oidc/back-channel-logout': [{ body: { logout_token: 'a.b.c' } }],
  },
};

/** Sends a request, and returns the status of its reply. */
async function send(host: string, route: string, { body, headers }: Sent): Promise<number> {
  const [method = '', path = ''] = route.split(' ');
  const reply = await request(`http://${host}${path}`, {
    method: method as 'GET',
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

  for (const [name, routes] of Object.entries(REQUESTS))
    it(`leave at most ${MAX_RECORDS} records of ${FLOOD} requests to ${name} in a minute (bug: one each)`, async () => {
      const requests = Object.entries(routes).flatMap(([route, all]) => all.map((sent) => ({ route, sent })));
      const { operations } = openLoginApi();
      const deps = { clock: { now: () => 1_000_000 }, bodyBytes: 10_000 };
      const { handler, records } = buildTestApi({ operations, deps });
      const server = createServer(handler);
      const { host, close } = await listenOnLoopback(server);
      try {
        const statuses = new Set<number>();
        for (let count = 0; count < FLOOD; count += AT_ONCE) {
          const replies = Array.from({ length: AT_ONCE }, (_, at) => {
            const { route, sent } = requests[(count + at) % requests.length]!;
            return send(host, route, sent);
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
