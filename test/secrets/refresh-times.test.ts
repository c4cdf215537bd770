import assert from 'node:assert/strict';
import { createRefusalReread, isRotationDue, rereadMs, retryMs } from '../../src/secrets/refresh-times.js';
import { timesOf } from '../../src/secrets/vault/read-secret.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';

const PLAIN = timesOf('kv2', { p: '1', ttl: '60s' });

function pace(random: number, intervalSeconds = 300): Parameters<typeof rereadMs>[1] {
  return { refresh: { intervalSeconds, jitter: 0.1 }, random: () => random };
}

describe('refresh intervals', () => {
  it('S-01 vary around the interval by the jitter, so that gateways do not read at the same time', () => {
    const times = [0, 0.5, 1].map((random) => rereadMs(PLAIN, pace(random)));
    assert.deepEqual(times, [270_000, 300_000, 330_000]);
  });

  it('are at least 30 s', () => {
    assert.equal(rereadMs(PLAIN, pace(0, 10)), 30_000);
    assert.equal(retryMs('VAULT_SEALED', pace(0)), 30_000);
  });

  it('are short after an outage, and regular after an error that an operator must fix', () => {
    assert.equal(retryMs('VAULT_UNAVAILABLE', pace(0.5)), 30_000);
    assert.equal(retryMs('VAULT_LOGIN_FAILED', pace(0.5)), 30_000);
    assert.equal(retryMs('VAULT_DENIED', pace(0.5)), 300_000);
    assert.equal(retryMs('VAULT_NOT_FOUND', pace(0.5)), 300_000);
  });

  it('S-14 follow a valid duration in the key "ttl" or "lease" of KV version 1 only', () => {
    const of = (
      fields: Parameters<typeof timesOf>[1],
      engine: Parameters<typeof timesOf>[0] = 'kv1',
    ): number => rereadMs(timesOf(engine, fields), pace(0.5));
    assert.equal(of({ ttl: '60s' }), 60_000);
    assert.equal(of({ ttl: 90 }), 90_000);
    assert.equal(of({ lease: '1h30m' }), 5_400_000);
    for (const ttl of ['soon', '', '0', -5, 1.5, '5 m', null, '1e9', 'm']) assert.equal(of({ ttl }), 300_000);
    assert.equal(of({ ttl: '60s' }, 'kv2'), 300_000);
    assert.equal(of({ ttl: '60s' }, 'other'), 300_000);
  });

  it('S-13 follow the rotation time of a static account', () => {
    const account = (ttl: number): ReturnType<typeof timesOf> =>
      timesOf('other', { ttl, last_vault_rotation: '2026-01-01T00:00:00Z' });
    assert.equal(rereadMs(account(30), pace(0.5)), 31_000);
    assert.equal(rereadMs(account(0), pace(0.5)), 5000);
  });
});

describe('reads after a refusal by the orchestrator', () => {
  const setUp = (isDue = () => false) => {
    const clock = createFakeScheduler();
    const results: boolean[] = [];
    let reads = 0;
    const refreshOwner = (): Promise<boolean> => {
      reads += 1;
      return Promise.resolve(results.shift() ?? false);
    };
    const reread = createRefusalReread({ refreshOwner, isRotationDue: isDue }, clock);
    return { clock, results, reread, reads: () => reads };
  };

  it('S-08 follow an unchanged value after 30 s', async () => {
    const { clock, reread, reads } = setUp();
    for (const ms of [0, 5_000, 24_999]) {
      await clock.pass(ms);
      assert.equal(await reread('nso'), false);
    }
    assert.equal(reads(), 1);
    await clock.pass(1);
    await reread('nso');
    assert.equal(reads(), 2);
  });

  it('follow a changed value after 5 s, because it may change again soon', async () => {
    const { clock, results, reread, reads } = setUp();
    results.push(true, true);
    assert.deepEqual([await reread('nso'), await reread('nso')], [true, false]);
    await clock.pass(4_999);
    assert.deepEqual([await reread('nso'), reads()], [false, 1]);
    await clock.pass(1);
    assert.deepEqual([await reread('nso'), reads()], [true, 2]);
  });

  it('vault review F4: are a second apart while the password of a static role is rotated', async () => {
    const { clock, reread, reads } = setUp(() => true);
    await reread('nso');
    await clock.pass(999);
    await reread('nso');
    assert.equal(reads(), 1);
    await clock.pass(1);
    await reread('nso');
    assert.equal(reads(), 2);
  });

  it('are counted for each adapter, and for no time that a clock was set back', async () => {
    const { clock, reread, reads } = setUp();
    await Promise.all([reread('nso'), reread('other')]);
    assert.equal(reads(), 2);
    clock.set(-3_600_000);
    await reread('nso');
    assert.equal(reads(), 3);
  });

  it('expect the rotation of a static role from a second before the end of its period, and of nothing else', () => {
    const account = timesOf('other', { ttl: 15, last_vault_rotation: '2026-01-01T00:00:00Z' });
    assert.deepEqual(
      [13_999, 14_000].map((age) => isRotationDue(account, age)),
      [false, true],
    );
    assert.equal(isRotationDue(timesOf('other', { ttl: 15 }), 60_000), false);
  });
});
