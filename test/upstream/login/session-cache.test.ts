import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import { createSessionCache } from '../../../src/upstream/login/session-cache.js';
import type { OpenedSession, Session } from '../../../src/upstream/login/session.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';

function start(lifeSeconds?: number, more: readonly string[] = []) {
  const scheduler = createFakeScheduler();
  const { log, lines } = memoryLog();
  const masked = new Set<string>();
  const outcomes: boolean[] = [];
  let logins = 0;
  let failure: Error | undefined;
  let gate: Promise<void> = Promise.resolve();
  const cache = createSessionCache(
    async ({ maskSecret: keepSecret }): Promise<OpenedSession> => {
      logins += 1;
      const token = `token-${logins}`;
      for (const value of [token, ...more]) keepSecret(value);
      await gate;
      if (failure) throw failure;
      return { headers: { 'x-token': token }, ...(lifeSeconds !== undefined && { lifeSeconds }) };
    },
    {
      scheduler,
      log,
      send: () => Promise.reject(new Error('not used')),
      onSecret: (value) => {
        masked.add(value);
        return () => masked.delete(value);
      },
      onLogin: (succeeded) => outcomes.push(succeeded),
    },
  );
  const tokenOf = async (session: Session | Promise<Session> | undefined): Promise<unknown> =>
    (await session)?.headers['x-token'];
  return {
    scheduler,
    cache,
    lines,
    masked,
    outcomes,
    logins: () => logins,
    token: () => tokenOf(cache.current()),
    tokenOf,
    failWith: (error?: Error) => (failure = error),
    holdUntil: (promise: Promise<void>) => {
      gate = promise;
    },
  };
}

describe('the session cache', () => {
  it('refuses a login with too many secrets (bug: a login could add 200 KB to the masked values)', async () => {
    const cookies = Array.from({ length: 9 }, (_, at) => `${at}`.repeat(4096));
    const { token, masked, outcomes } = start(undefined, cookies);
    const refusal = problem('upstream_auth', /more than 32768 characters of tokens and cookies/);
    await assert.rejects(token(), refusal);
    assert.deepEqual([masked.size, outcomes], [0, [false]]);
  });

  it('counts a cookie once that several steps of a login set', async () => {
    const same = Array.from({ length: 20 }, () => 'c'.repeat(4096));
    const { token, masked } = start(undefined, same);
    assert.equal(await token(), 'token-1');
    assert.equal(masked.size, 2);
  });

  it('logs in at the first call, and once for concurrent calls', async () => {
    const { token, logins } = start();
    const tokens = await Promise.all(Array.from({ length: 100 }, () => token()));
    assert.deepEqual([new Set(tokens), logins()], [new Set(['token-1']), 1]);
  });

  it('renews a session at 80 % of its life, while calls still use it', async () => {
    const { scheduler, token, logins } = start(100);
    assert.equal(await token(), 'token-1');
    await scheduler.pass(79_999);
    assert.equal(await token(), 'token-1');
    assert.equal(logins(), 1);
    await scheduler.pass(1);
    assert.equal(await token(), 'token-1');
    await scheduler.pass(0);
    assert.deepEqual([await token(), logins()], ['token-2', 2]);
    await scheduler.pass(100_000);
    assert.equal(await token(), 'token-3', 'the session has expired');
  });

  it('does not log in for each call if sessions have a very short life (bug: each call was a login)', async () => {
    const { scheduler, token, logins } = start(0.001);
    for (let call = 0; call < 20; call += 1) {
      assert.equal(await token(), 'token-1');
      await scheduler.pass(100);
    }
    assert.equal(logins(), 1);
  });

  it('unmasks the values of a session that is created while the cache closes (bug: they stayed masked forever)', async () => {
    const { cache, token, masked, holdUntil } = start();
    let release = (): void => undefined;
    holdUntil(new Promise((resolve) => (release = resolve)));
    const waiting = assert.rejects(token());
    cache.close();
    release();
    await waiting;
    assert.deepEqual(masked, new Set());
  });

  it('keeps a session of unknown life, and uses no timer, so that an adapter without calls does not log in', async () => {
    const { scheduler, token } = start();
    await token();
    assert.equal(scheduler.next(), undefined);
    await scheduler.pass(365 * 86_400_000);
    assert.equal(await token(), 'token-1');
  });

  it('returns a session that is due for renewal while the login fails', async () => {
    const { scheduler, token, failWith, outcomes } = start(100);
    await token();
    failWith(new Problem('upstream_unreachable', 'no'));
    await scheduler.pass(80_000);
    assert.equal(await token(), 'token-1');
    await scheduler.pass(19_000);
    assert.equal(await token(), 'token-1');
    await scheduler.pass(2_000);
    await assert.rejects(token(), problem('upstream_unreachable'));
    failWith();
    await scheduler.pass(1_000);
    assert.match(String(await token()), /token/);
    assert.deepEqual([outcomes[0], outcomes.at(-1)], [true, true]);
  });

  it('renews a refused session once for all its calls', async () => {
    const { scheduler, cache, tokenOf, logins } = start();
    const session = await cache.current();
    session.wasAccepted = true;
    await scheduler.pass(1_000);
    const renewals = Array.from({ length: 1_000 }, () => tokenOf(cache.renew(session, 401)));
    const renewed = await Promise.all(renewals);
    assert.deepEqual([new Set(renewed), logins()], [new Set(['token-2']), 2]);
    assert.equal(await tokenOf(cache.renew(session, 401)), 'token-2', 'a later call');
    assert.equal(logins(), 2);
  });

  it('does not return a session that was refused with 401 while a new session is pending', async () => {
    const { scheduler, cache, token, holdUntil } = start();
    const session = await cache.current();
    session.wasAccepted = true;
    await scheduler.pass(1_000);
    let open: () => void = () => undefined;
    holdUntil(new Promise((resolve) => (open = resolve)));
    const both = Promise.all([cache.renew(session, 401), token()]);
    open();
    assert.equal((await both)[1], 'token-2');
  });

  for (const [title, status, wasAccepted, ms] of [
    ['accepted before, within 1 s after a 401', 401, true, 1_000],
    ['never accepted, within 30 s', 401, false, 30_000],
    ['accepted before, within 30 s after a 403', 403, true, 30_000],
  ] as const)
    it(`does not renew a session ${title}`, async () => {
      const { scheduler, cache, logins, tokenOf } = start();
      const session = await cache.current();
      session.wasAccepted = wasAccepted;
      await scheduler.pass(ms - 1);
      assert.equal(cache.renew(session, status), undefined);
      assert.equal(logins(), 1);
      await scheduler.pass(1);
      assert.equal(await tokenOf(cache.renew(session, status)), 'token-2');
    });

  it('does not renew a session for 30 s after a new session was refused as well', async () => {
    const { scheduler, cache, logins } = start();
    const first = await cache.current();
    first.wasAccepted = true;
    await scheduler.pass(1_000);
    const second = await cache.renew(first, 401);
    assert.ok(second);
    cache.reportUselessRenewal();
    second.wasAccepted = true;
    await scheduler.pass(29_999);
    assert.equal(cache.renew(second, 401), undefined);
    await scheduler.pass(1);
    await cache.renew(second, 401);
    assert.equal(logins(), 3);
  });

  it('backs off when the orchestrator refuses the login, because wrong passwords lock accounts', async () => {
    const { scheduler, token, failWith, logins } = start();
    failWith(new Problem('upstream_auth', 'wrong password'));
    const loginTimes: number[] = [];
    const begin = scheduler.now();
    for (let second = 0; second < 130; second += 1) {
      const before = logins();
      await assert.rejects(token(), problem('upstream_auth', /wrong password/));
      if (logins() > before) loginTimes.push((scheduler.now() - begin) / 1_000);
      await scheduler.pass(1_000);
    }
    assert.deepEqual(loginTimes, [0, 1, 3, 7, 15, 31, 63, 123]);
  });

  it('retries one second after a login that failed without a refusal', async () => {
    const { scheduler, token, failWith, logins } = start();
    failWith(new Problem('upstream_timeout', 'slow'));
    for (let time = 0; time < 3; time += 1) {
      await assert.rejects(token(), problem('upstream_timeout'));
      await assert.rejects(token(), problem('upstream_timeout'));
      await scheduler.pass(1_000);
    }
    assert.equal(logins(), 3);
    failWith();
    assert.equal(await token(), 'token-4');
  });

  it('masks every value of a session before its use, and unmasks it after the next login', async () => {
    const { scheduler, cache, token, masked, failWith, lines } = start(100);
    await token();
    assert.deepEqual([...masked], ['token-1']);
    await scheduler.pass(100_000);
    failWith(new Problem('upstream_auth', 'no'));
    await assert.rejects(token(), problem('upstream_auth'));
    assert.deepEqual([...masked], ['token-1'], 'the values of a failed login are unmasked');
    failWith();
    await scheduler.pass(1_000);
    await token();
    assert.deepEqual([...masked], ['token-3']);
    cache.close();
    assert.equal(masked.size, 0);
    assert.doesNotMatch(JSON.stringify(lines), /token-\d/);
  });
});
