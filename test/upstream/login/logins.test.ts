import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import type { WrittenAdapter } from '../../support/adapter-settings.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { type GuardedOptions, startGuardedOrchestrator } from '../../support/guarded-orchestrator.js';
import { memoryLog } from '../../support/memory-log.js';
import {
  COOKIE_REQUEST,
  GET,
  neverAborted,
  PASSWORD,
  POST,
  TOKEN_LOGIN,
  upstreamsOfTest,
} from '../upstreams.js';

const BASIC = { username: 'ada', password: PASSWORD };
const OAUTH2 = { type: 'oauth2', tokenUrl: 'URL/oauth/token', clientId: 'ada', clientSecret: PASSWORD };

/** Each kind of login as an operator configures it; `URL` is replaced by the URL of the orchestrator. */
const LOGINS: Readonly<Record<string, { demand: GuardedOptions['demand']; auth: WrittenAdapter }>> = {
  'OAuth 2.0': { demand: 'oauth2', auth: OAUTH2 },
  'OAuth 2.0 with the secret in a JSON body': {
    demand: 'oauth2',
    auth: { ...OAUTH2, clientAuth: 'body', encoding: 'json', scope: 'a b' },
  },
  'a token from a JSON login': { demand: 'token', auth: { ...TOKEN_LOGIN, expiresIn: '/expires_in' } },
  'a token from a login with HTTP Basic': {
    demand: 'token',
    auth: {
      type: 'login',
      steps: [{ request: { path: '/api/login', basic: BASIC }, take: { token: '/data/0/token' } }],
      apply: { headers: { 'X-Auth-Token': '{token}' } },
      expiresIn: 3600,
    },
  },
  'a session cookie': {
    demand: 'cookie',
    auth: { type: 'login', steps: [{ request: COOKIE_REQUEST, refusedBy: '<html>' }] },
  },
  'a session cookie and a token against forgery': {
    demand: 'xsrf',
    auth: {
      type: 'login',
      steps: [
        { request: COOKIE_REQUEST, refusedBy: '<html>' },
        { request: { method: 'GET', path: '/session/token' }, take: { xsrf: '' } },
      ],
      apply: { header: 'X-XSRF-TOKEN: {xsrf}' },
      refreshOn: [401, 403],
    },
  },
};

describe('the login to an orchestrator', () => {
  const { opened, open: openUpstream } = upstreamsOfTest();

  async function open(
    { demand, auth }: (typeof LOGINS)[string],
    more: WrittenAdapter = {},
    lifeSeconds?: number,
  ) {
    const life = lifeSeconds === undefined ? {} : { lifeSeconds };
    const orchestrator = await opened(startGuardedOrchestrator({ ...(demand && { demand }), ...life }));
    const written = JSON.parse(JSON.stringify(auth).replaceAll('URL', orchestrator.url)) as WrittenAdapter;
    const scheduler = createFakeScheduler();
    const { log, lines } = memoryLog();
    const masked = new Set<string>();
    const onSecret = (value: string) => {
      masked.add(value);
      return () => masked.delete(value);
    };
    const settings = { baseUrl: orchestrator.url, auth: written, ...more };
    const upstream = openUpstream(settings, { scheduler, log, onSecret });
    const send = (request: typeof GET | typeof POST, signal = neverAborted()) =>
      upstream.send(request, signal);
    return { orchestrator, upstream, send, scheduler, masked, lines };
  }

  for (const [name, login] of Object.entries(LOGINS)) {
    it(`by ${name} happens once for many calls, and again once for many refused calls`, async () => {
      const { orchestrator, upstream, scheduler, send } = await open(login);
      for (const logins of [1, 2]) {
        const calls = Array.from({ length: 20 }, () => send(GET));
        for (const { status } of await Promise.all(calls)) assert.equal(status, 200);
        const requests = orchestrator.arrivals.filter(({ target }) => target !== '/data').length;
        assert.equal(requests, logins * (login.demand === 'xsrf' ? 2 : 1));
        assert.deepEqual([upstream.status?.().logins, orchestrator.done.length], [logins, 20 * logins]);
        orchestrator.revoke();
        await scheduler.pass(30_000);
      }
    });

    it(`by ${name} shows no token and no password in logs, errors and the status, and masks every token`, async () => {
      const { orchestrator, upstream, masked, lines, send } = await open(login);
      await send(GET);
      orchestrator.failNext({ cut: true });
      const failure: unknown = await send(POST).catch((error: unknown) => error);
      assert.ok(failure instanceof Problem);
      const { stack, cause } = failure;
      const shown = `${JSON.stringify([lines, upstream.status?.()])} ${String(stack)} ${String(cause)}`;
      for (const secret of [...orchestrator.issued, PASSWORD]) assert.ok(!shown.includes(secret));
      for (const token of orchestrator.issued) assert.ok(masked.has(token), 'a token was not masked');
    });

    it(`by ${name} with a wrong password fails once for many calls`, async () => {
      const wrong = JSON.parse(JSON.stringify(login).replaceAll(PASSWORD, 'wr0ng')) as typeof login;
      const { orchestrator, upstream, send } = await open(wrong);
      for (let time = 0; time < 3; time += 1)
        await assert.rejects(send(GET), (error) => {
          problem('upstream_auth', /login|token/)(error);
          assert.doesNotMatch(String((error as Error).stack), /wr0ng|s3cret/);
          return true;
        });
      assert.equal(orchestrator.refusedLogins(), 1);
      assert.equal(orchestrator.done.length, 0);
      assert.equal(upstream.status?.().failedLogins, 1);
    });
  }

  const TOKEN = LOGINS['a token from a JSON login']!;
  const XSRF = LOGINS['a session cookie and a token against forgery']!;

  it('retries a POST after a 401, because a refused request was not processed', async () => {
    const { orchestrator, scheduler, send } = await open(TOKEN);
    await send(GET);
    orchestrator.revoke();
    await scheduler.pass(1_000);
    assert.equal((await send(POST)).status, 200);
    assert.deepEqual(orchestrator.done, ['GET /data', 'POST /data']);
  });

  it('does not retry a POST after a 403, but has a new session for the next call', async () => {
    const { orchestrator, scheduler, send } = await open(XSRF);
    await send(GET);
    orchestrator.revoke();
    await scheduler.pass(30_000);
    assert.equal((await send(POST)).status, 403);
    assert.equal((await send(POST)).status, 200);
    assert.deepEqual(orchestrator.done, ['GET /data', 'POST /data']);
  });

  it('passes on a 401 when a new session is refused as well', async () => {
    const { orchestrator, upstream, scheduler, send } = await open(TOKEN);
    await send(GET);
    await scheduler.pass(1_000);
    orchestrator.failNext({ status: 401 }, { status: 401 });
    assert.equal((await send(GET)).status, 401);
    assert.equal(upstream.status?.().logins, 2);
  });

  it('passes on a 401 when no new session can be created', async () => {
    const { orchestrator, scheduler, send } = await open(TOKEN);
    await send(GET);
    await scheduler.pass(1_000);
    orchestrator.revoke();
    orchestrator.failNextLogin({ status: 503 });
    assert.equal((await send(POST)).status, 401);
  });

  it('renews the session at 80 % of the life that the orchestrator reports', async () => {
    const { orchestrator, upstream, scheduler, send } = await open(TOKEN, {}, 100);
    await send(GET);
    await scheduler.pass(80_000);
    await send(GET);
    await send(GET);
    assert.equal(upstream.status?.().logins, 2);
    assert.equal(orchestrator.done.length, 3);
  });

  it('distinguishes a failed login from a refused login', async () => {
    const { orchestrator, send } = await open(TOKEN, { retry: { attempts: 1 } });
    orchestrator.failNextLogin({ status: 503 });
    const failed = problem('upstream_failed', /step 1 of the login was answered with status 503/);
    await assert.rejects(send(GET), failed);
  });

  it('names the step that did not return the expected value', async () => {
    const [step] = TOKEN_LOGIN.steps;
    const auth = { ...TOKEN_LOGIN, steps: [{ ...step, take: { token: '/token' } }] };
    const { send } = await open({ ...TOKEN, auth });
    const refused = problem('upstream_auth', /step 1 of the login was answered without "token" in its reply/);
    await assert.rejects(send(GET), refused);
  });

  it('does not follow an extracted value out of the base URL, and reports a login error', async () => {
    const steps = [
      { request: { method: 'GET', path: '/session/token' }, take: { place: '' }, refusedBy: null },
      { request: { method: 'GET', path: '/{place}' } },
    ];
    const { orchestrator, send } = await open({ demand: 'cookie', auth: { type: 'login', steps } });
    orchestrator.answerLogins('..');
    await assert.rejects(send(GET), problem('upstream_auth', /step 2 of the login could not be sent/));
    assert.equal(orchestrator.arrivals.length, 1);
  });

  it('releases a caller who leaves while the login is pending', async () => {
    const { orchestrator, upstream, send } = await open(TOKEN);
    orchestrator.failNextLogin({ hang: true });
    const caller = new AbortController();
    const leaving = send(GET, caller.signal);
    caller.abort();
    await assert.rejects(leaving, problem('caller_gone'));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(upstream.status?.().inFlight, 0);
  });
});

describe('the client credentials of a token request', () => {
  const SECRET = 'a+b%c d';
  const { opened, open } = upstreamsOfTest();
  for (const [encoding, expected] of [
    ['form', 'ada:a%2Bb%25c+d'],
    ['json', `ada:${SECRET}`],
  ] as const)
    it(`are encoded for the encoding ${encoding}`, async () => {
      const orchestrator = await opened(startGuardedOrchestrator({ demand: 'oauth2' }));
      const { url: baseUrl, arrivals } = orchestrator;
      const auth = { ...OAUTH2, tokenUrl: `${baseUrl}/oauth/token`, clientSecret: SECRET, encoding };
      await assert.rejects(open({ baseUrl, auth }).send(GET, neverAborted()), problem('upstream_auth'));
      const [, credentials = ''] = arrivals[0]?.headers.authorization?.split(' ') ?? [];
      assert.equal(Buffer.from(credentials, 'base64').toString(), expected);
    });
});

describe('an API key', () => {
  const { opened, open } = upstreamsOfTest();
  for (const [demand, auth] of [
    ['key-header', { type: 'header', name: 'X-API-Key', value: 'k3y-of-ada' }],
    ['key-query', { type: 'query', name: 'apikey', value: 'k3y-of-ada' }],
    ['basic', { type: 'basic', username: 'ada', password: PASSWORD }],
  ] as const)
    it(`is sent with each call: ${demand}`, async () => {
      const orchestrator = await opened(startGuardedOrchestrator({ demand }));
      const upstream = open({ baseUrl: `${orchestrator.url}/api`, auth });
      for (const path of ['/a', '/a?b=c', '/a?'])
        assert.equal((await upstream.send({ ...GET, path }, neverAborted())).status, 200);
      const sent = ['/a?', '/a?b=c&', '/a?'].map((path) => `GET /api${path}apikey=k3y-of-ada`);
      if (demand === 'key-query') assert.deepEqual(orchestrator.done, sent);
    });

  it('in the query cannot be set by the caller, in any spelling of its name', async () => {
    const auth = { type: 'query', name: 'apikey', value: 'a/b&c=\'d"' };
    const upstream = open({ baseUrl: 'http://127.0.0.1:1', auth });
    for (const path of ['/a?apikey=x', '/a?b=c&APIKEY=x', '/a?%61pikey', '/a?b;apikey=1']) {
      const call = upstream.send({ ...GET, path }, neverAborted());
      await assert.rejects(call, problem('invalid_path', /"apikey"/));
    }
  });

  it('in the query is encoded, and does not appear in errors', async () => {
    const orchestrator = await opened(startGuardedOrchestrator());
    const auth = { type: 'query', name: 'apikey', value: 'a/b&c=\'d" é' };
    const upstream = open({ baseUrl: orchestrator.url, auth, retry: { attempts: 1 } });
    await upstream.send(GET, neverAborted());
    const sent = new URL(orchestrator.arrivals[0]?.target ?? '', 'http://x').searchParams;
    assert.deepEqual([...sent], [['apikey', 'a/b&c=\'d" é']]);
    orchestrator.failNext({ resetAfter: true });
    await assert.rejects(upstream.send(POST, neverAborted()), (error) => {
      assert.doesNotMatch(String((error as Error).stack) + String((error as Error).cause), /apikey/);
      return true;
    });
  });
});
