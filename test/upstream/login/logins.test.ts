import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import { openUpstream } from '../../../src/upstream/open-upstream.js';
import { adapterSettings, type WrittenAdapter } from '../../support/adapter-settings.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { type GuardedOptions, startGuardedOrchestrator } from '../../support/guarded-orchestrator.js';
import { memoryLog } from '../../support/memory-log.js';
import { openedByTest } from '../../support/opened.js';

const neverAborted = (): AbortSignal => new AbortController().signal;
const GET = { method: 'GET', path: '/data', headers: {} } as const;
const POST = { method: 'POST', path: '/data', headers: {}, body: Buffer.from('{}') } as const;

const PASSWORD = 's3cret-of-ada';
const BY_FORM = { j_username: 'ada', j_password: PASSWORD };

/** Each kind of login as an operator configures it; `URL` is replaced by the URL of the orchestrator. */
const LOGINS: Readonly<Record<string, { demand: GuardedOptions['demand']; auth: WrittenAdapter }>> = {
  'OAuth 2.0': {
    demand: 'oauth2',
    auth: { type: 'oauth2', tokenUrl: 'URL/oauth/token', clientId: 'ada', clientSecret: PASSWORD },
  },
  'OAuth 2.0 with the secret in a JSON body': {
    demand: 'oauth2',
    auth: { type: 'oauth2', tokenUrl: 'URL/oauth/token', clientId: 'ada', clientSecret: PASSWORD, clientAuth: 'body', encoding: 'json', scope: 'a b' }, // prettier-ignore
  },
  'a token from a JSON login': {
    demand: 'token',
    auth: {
      type: 'login',
      steps: [{ request: { path: '/api/login', body: { username: 'ada', password: PASSWORD } }, take: { token: '/data/0/token' } }], // prettier-ignore
      apply: { header: 'X-Auth-Token: {token}' },
      expiresIn: '/expires_in',
    },
  },
  'a token from a login with HTTP Basic': {
    demand: 'token',
    auth: {
      type: 'login',
      steps: [{ request: { path: '/api/login', basic: { username: 'ada', password: PASSWORD } }, take: { token: '/data/0/token' } }], // prettier-ignore
      apply: { headers: { 'X-Auth-Token': '{token}' } },
      expiresIn: 3600,
    },
  },
  'a session cookie': {
    demand: 'cookie',
    auth: { type: 'login', steps: [{ request: { path: '/session', form: BY_FORM }, refusedBy: '<html>' }] },
  },
  'a session cookie and a token against forgery': {
    demand: 'xsrf',
    auth: {
      type: 'login',
      steps: [
        { request: { path: '/session', form: BY_FORM }, refusedBy: '<html>' },
        { request: { method: 'GET', path: '/session/token' }, take: { xsrf: '' } },
      ],
      apply: { header: 'X-XSRF-TOKEN: {xsrf}' },
      refreshOn: [401, 403],
    },
  },
};

describe('the login to an orchestrator', () => {
  const opened = openedByTest();

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
    const settings = adapterSettings({ baseUrl: orchestrator.url, auth: written, ...more });
    const upstream = await opened(openUpstream(settings, {}, { scheduler, log, onSecret }));
    return { orchestrator, upstream, scheduler, masked, lines };
  }

  for (const [name, login] of Object.entries(LOGINS)) {
    it(`by ${name} happens once for many calls, and again once for many refused calls`, async () => {
      const { orchestrator, upstream, scheduler } = await open(login);
      for (const logins of [1, 2]) {
        const calls = Array.from({ length: 20 }, () => upstream.send(GET, neverAborted()));
        for (const { status } of await Promise.all(calls)) assert.equal(status, 200);
        const requests = orchestrator.arrivals.filter(({ target }) => target !== '/data').length;
        assert.equal(requests, logins * (login.demand === 'xsrf' ? 2 : 1));
        assert.deepEqual([upstream.status?.().logins, orchestrator.done.length], [logins, 20 * logins]);
        orchestrator.revoke();
        await scheduler.pass(30_000);
      }
    });

    it(`by ${name} shows no token and no password in logs, errors and the status, and masks every token`, async () => {
      const { orchestrator, upstream, masked, lines } = await open(login);
      await upstream.send(GET, neverAborted());
      orchestrator.failNext({ cut: true });
      const failure: unknown = await upstream.send(POST, neverAborted()).catch((error: unknown) => error);
      assert.ok(failure instanceof Problem);
      const shown = [
        JSON.stringify([lines, upstream.status?.()]),
        String(failure.stack),
        String(failure.cause),
      ].join(' ');
      for (const secret of [...orchestrator.issued, PASSWORD]) assert.ok(!shown.includes(secret));
      for (const token of orchestrator.issued) assert.ok(masked.has(token), 'a token was not masked');
    });

    it(`by ${name} with a wrong password fails once for many calls`, async () => {
      const wrong = {
        ...login,
        auth: JSON.parse(JSON.stringify(login.auth).replaceAll(PASSWORD, 'wr0ng')) as WrittenAdapter,
      };
      const { orchestrator, upstream } = await open(wrong);
      for (let time = 0; time < 3; time += 1)
        await assert.rejects(upstream.send(GET, neverAborted()), (error) => {
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
    const { orchestrator, upstream, scheduler } = await open(TOKEN);
    await upstream.send(GET, neverAborted());
    orchestrator.revoke();
    await scheduler.pass(1_000);
    assert.equal((await upstream.send(POST, neverAborted())).status, 200);
    assert.deepEqual(orchestrator.done, ['GET /data', 'POST /data']);
  });

  it('does not retry a POST after a 403, but has a new session for the next call', async () => {
    const { orchestrator, upstream, scheduler } = await open(XSRF);
    await upstream.send(GET, neverAborted());
    orchestrator.revoke();
    await scheduler.pass(30_000);
    assert.equal((await upstream.send(POST, neverAborted())).status, 403);
    assert.equal((await upstream.send(POST, neverAborted())).status, 200);
    assert.deepEqual(orchestrator.done, ['GET /data', 'POST /data']);
  });

  it('passes on a 401 when a new session is refused as well', async () => {
    const { orchestrator, upstream, scheduler } = await open(TOKEN);
    await upstream.send(GET, neverAborted());
    await scheduler.pass(1_000);
    orchestrator.failNext({ status: 401 }, { status: 401 });
    assert.equal((await upstream.send(GET, neverAborted())).status, 401);
    assert.equal(upstream.status?.().logins, 2);
  });

  it('passes on a 401 when no new session can be created', async () => {
    const { orchestrator, upstream, scheduler } = await open(TOKEN);
    await upstream.send(GET, neverAborted());
    await scheduler.pass(1_000);
    orchestrator.revoke();
    orchestrator.failNextLogin({ status: 503 });
    assert.equal((await upstream.send(POST, neverAborted())).status, 401);
  });

  it('renews the session at 80 % of the life that the orchestrator reports', async () => {
    const { orchestrator, upstream, scheduler } = await open(TOKEN, {}, 100);
    await upstream.send(GET, neverAborted());
    await scheduler.pass(80_000);
    await upstream.send(GET, neverAborted());
    await upstream.send(GET, neverAborted());
    assert.equal(upstream.status?.().logins, 2);
    assert.equal(orchestrator.done.length, 3);
  });

  it('distinguishes a failed login from a refused login', async () => {
    const { orchestrator, upstream } = await open(TOKEN, { retry: { attempts: 1 } });
    orchestrator.failNextLogin({ status: 503 });
    await assert.rejects(upstream.send(GET, neverAborted()), problem('upstream_failed', /step 1 of the login was answered with status 503/)); // prettier-ignore
  });

  it('names the step that did not return the expected value', async () => {
    const auth = { ...TOKEN.auth, steps: [{ request: { path: '/api/login', body: { password: PASSWORD } }, take: { token: '/token' } }] }; // prettier-ignore
    const { upstream } = await open({ ...TOKEN, auth });
    await assert.rejects(upstream.send(GET, neverAborted()), problem('upstream_auth', /step 1 of the login was answered without "token" in its reply/)); // prettier-ignore
  });

  it('does not follow an extracted value out of the base URL, and reports a login error', async () => {
    const steps = [
      { request: { method: 'GET', path: '/session/token' }, take: { place: '' }, refusedBy: null },
      { request: { method: 'GET', path: '/{place}' } },
    ];
    const { orchestrator, upstream } = await open({ demand: 'cookie', auth: { type: 'login', steps } });
    orchestrator.answerLogins('..');
    await assert.rejects(upstream.send(GET, neverAborted()), problem('upstream_auth', /step 2 of the login could not be sent/)); // prettier-ignore
    assert.equal(orchestrator.arrivals.length, 1);
  });

  it('releases a caller who leaves while the login is pending', async () => {
    const { orchestrator, upstream } = await open(TOKEN);
    orchestrator.failNextLogin({ hang: true });
    const caller = new AbortController();
    const leaving = upstream.send(GET, caller.signal);
    caller.abort();
    await assert.rejects(leaving, problem('caller_gone'));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(upstream.status?.().inFlight, 0);
  });

  it('is repeated for a later call when its connection was reset', async () => {
    const { orchestrator, upstream, scheduler } = await open(TOKEN, { retry: { attempts: 1 } });
    orchestrator.failNextLogin({ resetBefore: true });
    await assert.rejects(upstream.send(POST, neverAborted()), problem('upstream_unreachable'));
    await scheduler.pass(1_000);
    assert.equal((await upstream.send(POST, neverAborted())).status, 200);
  });
});

describe('an API key', () => {
  const opened = openedByTest();
  for (const [demand, auth] of [
    ['key-header', { type: 'header', name: 'X-API-Key', value: 'k3y-of-ada' }],
    ['key-query', { type: 'query', name: 'apikey', value: 'k3y-of-ada' }],
    ['basic', { type: 'basic', username: 'ada', password: PASSWORD }],
  ] as const)
    it(`is sent with each call: ${demand}`, async () => {
      const orchestrator = await opened(startGuardedOrchestrator({ demand }));
      const settings = adapterSettings({ baseUrl: `${orchestrator.url}/api`, auth });
      const upstream = await opened(openUpstream(settings, {}));
      for (const path of ['/a', '/a?b=c', '/a?'])
        assert.equal((await upstream.send({ ...GET, path }, neverAborted())).status, 200);
      if (demand === 'key-query')
        assert.deepEqual(orchestrator.done, ['/a?', '/a?b=c&', '/a?'].map((path) => `GET /api${path}apikey=k3y-of-ada`)); // prettier-ignore
    });

  it('in the query cannot be set by the caller, in any spelling of its name', async () => {
    const auth = { type: 'query', name: 'apikey', value: 'a/b&c=\'d"' };
    const upstream = await opened(openUpstream(adapterSettings({ baseUrl: 'http://127.0.0.1:1', auth }), {}));
    for (const path of ['/a?apikey=x', '/a?b=c&APIKEY=x', '/a?%61pikey', '/a?b;apikey=1'])
      await assert.rejects(
        upstream.send({ ...GET, path }, neverAborted()),
        problem('invalid_path', /"apikey"/),
      );
  });

  it('in the query is encoded, and does not appear in errors', async () => {
    const orchestrator = await opened(startGuardedOrchestrator());
    const auth = { type: 'query', name: 'apikey', value: 'a/b&c=\'d" é' };
    const settings = adapterSettings({ baseUrl: orchestrator.url, auth, retry: { attempts: 1 } });
    const upstream = await opened(openUpstream(settings, {}));
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
