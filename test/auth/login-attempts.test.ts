import assert from 'node:assert/strict';
import { createAttempts, type LoginSource } from '../../src/auth/login-attempts.js';
import type { AttemptStore, ThrottleKey } from '../../src/core/login.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';

const LIMITS = { perUser: 3, perAddress: 5, windowSeconds: 60 };
const ada = (address = '192.0.2.1'): LoginSource => ({ name: 'ada', isKnown: true, address });

describe('createAttempts', () => {
  const setUpAttempts = (size?: number) => {
    const clock = createFakeScheduler();
    const attempts = createAttempts({ clock, ...(size !== undefined && { size }) });
    const fail = (guesser: LoginSource, times = 1): void => {
      for (let time = 0; time < times; time += 1) void attempts.count(guesser, LIMITS);
    };
    const waitMs = (guesser: LoginSource): number => attempts.waitMs(guesser, LIMITS);
    return { clock, attempts, fail, waitMs };
  };

  it('locks a name at its limit for one address until the window ends', async () => {
    const { clock, fail, waitMs } = setUpAttempts();
    fail(ada());
    await clock.pass(20_000);
    fail(ada());
    assert.equal(waitMs(ada()), 0);
    fail(ada());
    assert.equal(waitMs(ada()), 40_000);
    assert.equal(waitMs(ada('203.0.113.9')), 0);
    assert.equal(waitMs({ ...ada(), name: 'bob' }), 0);
    await clock.pass(39_999);
    assert.equal(waitMs(ada()), 1);
    await clock.pass(1);
    assert.equal(waitMs(ada()), 0);
    fail(ada(), 2);
    assert.equal(waitMs(ada()), 0);
  });

  it('locks a name at ten times its limit for every address', () => {
    const { fail, waitMs } = setUpAttempts();
    for (let at = 0; at < 29; at += 1) fail(ada(`198.51.100.${at}`));
    assert.equal(waitMs(ada('203.0.113.9')), 0);
    fail(ada('198.51.100.29'));
    assert.equal(waitMs(ada('203.0.113.9')), 60_000);
  });

  it('locks an address at its limit for all names', () => {
    const { fail, waitMs } = setUpAttempts();
    for (const name of ['a', 'b', 'c', 'd', 'e']) fail({ name, isKnown: false, address: '192.0.2.1' });
    assert.equal(waitMs(ada()), 60_000);
    assert.equal(waitMs(ada('192.0.2.2')), 0);
  });

  it('takes back the attempt of a correct password', async () => {
    const { attempts, fail, waitMs } = setUpAttempts();
    fail(ada(), 2);
    const takeBack = await attempts.count(ada(), LIMITS);
    assert.equal(waitMs(ada()), 60_000);
    takeBack?.();
    assert.equal(waitMs(ada()), 0);
    fail(ada());
    assert.equal(waitMs(ada()), 60_000);
  });

  it('evicts the bounded counters of unknown names and keeps those of accounts', () => {
    const { fail, waitMs } = setUpAttempts(10);
    for (let at = 0; at < 30; at += 1) fail(ada(`198.51.100.${at}`));
    const unknownCaller = (at: number) => ({ name: `x${at}`, isKnown: false, address: `10.0.${at}.1` });
    fail(unknownCaller(0), 3);
    assert.equal(waitMs(unknownCaller(0)), 60_000);
    for (let at = 1; at <= 10; at += 1) fail(unknownCaller(at));
    assert.equal(waitMs(unknownCaller(0)), 0);
    assert.equal(waitMs(ada()), 60_000);
  });

  describe('with counters shared between nodes', () => {
    const sharing = (count: AttemptStore['count']) => {
      const clock = createFakeScheduler();
      const takenBack: (readonly ThrottleKey[])[] = [];
      const takeBack = (places: readonly ThrottleKey[]): Promise<void> => {
        takenBack.push(places);
        return Promise.resolve();
      };
      const attempts = createAttempts({ clock, shared: { count, takeBack } });
      return { clock, attempts, takenBack, waitMs: () => attempts.waitMs(ada(), LIMITS) };
    };

    it('locks a key that another node locked, for at most one window', async () => {
      let aheadMs = 40_000;
      const { clock, attempts, waitMs } = sharing(([place], now) =>
        Promise.resolve(place && { place, until: now + aheadMs }),
      );
      assert.equal(await attempts.count(ada(), LIMITS), undefined);
      assert.equal(waitMs(), 40_000);
      await clock.pass(40_000);
      aheadMs = 3_600_000;
      assert.equal(await attempts.count(ada(), LIMITS), undefined);
      assert.equal(waitMs(), 60_000);
    });

    it('takes back an attempt in the shared store', async () => {
      const { attempts, takenBack } = sharing(() => Promise.resolve(undefined));
      const takeBack = await attempts.count(ada(), LIMITS);
      takeBack?.();
      const [places = [], ...others] = takenBack;
      const names = places.map(({ kind, name }) => `${kind} ${name}`);
      assert.deepEqual(
        [names, others],
        [['pair ["ada","192.0.2.1"]', 'account ada', 'network 192.0.2.1'], []],
      );
    });

    it('counts locally while the shared store is unavailable', async () => {
      const { attempts, takenBack, waitMs } = sharing(() => Promise.reject(new Error('away')));
      let takeBack: (() => void) | undefined;
      for (let time = 0; time < 3; time += 1) assert.ok((takeBack = await attempts.count(ada(), LIMITS)));
      assert.equal(waitMs(), 60_000);
      // A node must not take back an attempt in the store that the store never counted.
      takeBack?.();
      assert.equal(waitMs(), 0);
      assert.deepEqual(takenBack, []);
    });
  });
});
