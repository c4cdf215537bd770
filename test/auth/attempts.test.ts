import assert from 'node:assert/strict';
import { createAttempts, type Guesser } from '../../src/auth/attempts.js';
import { networkOf } from '../../src/auth/network-of.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';

const LIMITS = { perUser: 3, perAddress: 5, windowSeconds: 60 };
const ada = (address = '192.0.2.1'): Guesser => ({ name: 'ada', isKnown: true, address });

describe('counts of wrong passwords', () => {
  const bench = (size?: number) => {
    const clock = createFakeScheduler();
    const attempts = createAttempts(clock, size);
    const fail = (guesser: Guesser, times = 1): void => {
      for (let time = 0; time < times; time += 1) attempts.count(guesser, LIMITS);
    };
    const waitMs = (guesser: Guesser): number => attempts.waitMs(guesser, LIMITS);
    return { clock, attempts, fail, waitMs };
  };

  it('lock a name at its limit, from every address, until the window is over', async () => {
    const { clock, fail, waitMs } = bench();
    fail(ada());
    await clock.pass(20_000);
    fail(ada('198.51.100.7'));
    assert.equal(waitMs(ada()), 0);
    fail(ada());
    assert.equal(waitMs(ada('203.0.113.9')), 40_000);
    assert.equal(waitMs({ ...ada(), name: 'bob' }), 0);
    await clock.pass(39_999);
    assert.equal(waitMs(ada()), 1);
    await clock.pass(1);
    assert.equal(waitMs(ada()), 0);
    fail(ada(), 2);
    assert.equal(waitMs(ada()), 0);
  });

  it('lock an address at its limit, whatever the names', () => {
    const { fail, waitMs } = bench();
    for (const name of ['a', 'b', 'c', 'd', 'e']) fail({ name, isKnown: false, address: '192.0.2.1' });
    assert.equal(waitMs(ada()), 60_000);
    assert.equal(waitMs(ada('192.0.2.2')), 0);
  });

  it('are taken back for a password that was right', () => {
    const { attempts, fail, waitMs } = bench();
    fail(ada(), 2);
    const takeBack = attempts.count(ada(), LIMITS);
    assert.equal(waitMs(ada()), 60_000);
    takeBack();
    assert.equal(waitMs(ada()), 0);
    fail(ada());
    assert.equal(waitMs(ada()), 60_000);
  });

  it('of accounts are not pushed out by names that do not exist, which are bounded', () => {
    const { fail, waitMs } = bench(10);
    fail(ada(), 3);
    const stranger = (at: number): Guesser => ({ name: `x${at}`, isKnown: false, address: `10.0.${at}.1` });
    fail(stranger(0), 3);
    assert.equal(waitMs(stranger(0)), 60_000);
    for (let at = 1; at <= 10; at += 1) fail(stranger(at));
    assert.equal(waitMs(stranger(0)), 0);
    assert.equal(waitMs(ada()), 60_000);
  });
});

describe('the network of an address', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000::9', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ] as const)
    it(`of ${address} is ${network}`, () => {
      assert.equal(networkOf(address), network);
    });
});
