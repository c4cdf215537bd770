import assert from 'node:assert/strict';
import { isRotationDue, rereadMs, retryMs } from '../../src/secrets/refresh-times.js';
import { timesOf } from '../../src/secrets/vault/read-secret.js';

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
    type Given = Parameters<typeof timesOf>;
    const of = (fields: Given[1], engine: Given[0] = 'kv1') => rereadMs(timesOf(engine, fields), pace(0.5));
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

describe('the rotation of a static role', () => {
  it('is due from a second before the end of its period, and that of nothing else never', () => {
    const account = timesOf('other', { ttl: 15, last_vault_rotation: '2026-01-01T00:00:00Z' });
    assert.deepEqual([isRotationDue(account, 13_999), isRotationDue(account, 14_000)], [false, true]);
    assert.equal(isRotationDue(timesOf('other', { ttl: 15 }), 60_000), false);
  });
});
