import assert from 'node:assert/strict';
import { describeVault, vaultViewOf } from '../../src/secrets/condition.js';
import type { SecretErrorCode } from '../../src/secrets/secret-error.js';
import type { SecretInUse } from '../../src/secrets/secret-status.js';

const NOW = Date.UTC(2026, 0, 1, 0, 30);
const MINUTE = 60_000;

function secret(state: SecretInUse['state'], code?: SecretErrorCode, more: Partial<SecretInUse> = {}) {
  return {
    reference: `$VAULT_${state}#p`,
    usedBy: [],
    state,
    version: 1,
    ...(code && { failure: { code, message: `message of ${code}`, fix: 'fix it' } }),
    ...more,
  } satisfies SecretInUse;
}

const viewOf = (...secrets: readonly SecretInUse[]) =>
  vaultViewOf(secrets, { now: NOW, maxStaleSeconds: 3_600 });
const textOf = (...secrets: readonly SecretInUse[]): string => describeVault(viewOf(...secrets));

describe('the condition of Vault', () => {
  it('tells how many secrets run on cached values, and until when the first of them does', () => {
    assert.equal(
      textOf(
        secret('stale', 'VAULT_SEALED', { goodAt: NOW - 43 * MINUTE }),
        secret('stale', 'VAULT_SEALED', { goodAt: NOW - MINUTE }),
      ),
      'Vault is sealed. 2 secrets run on cached values until 00:47 UTC.',
    );
    assert.equal(
      textOf(secret('stale', 'VAULT_TIMEOUT', { goodAt: NOW })),
      'Vault is unreachable. 1 secret runs on a cached value until 01:30 UTC.',
    );
  });

  it('names the date of a time on another day (bug: a time of tomorrow looked like one of the past)', () => {
    const ended = NOW + 24 * 60 * MINUTE;
    const times = { now: NOW, maxStaleSeconds: (ended - NOW) / 1000 };
    const view = vaultViewOf([secret('stale', 'VAULT_SEALED', { goodAt: NOW })], times);
    const expected = 'Vault is sealed. 1 secret runs on a cached value until 2026-01-02 00:30 UTC.';
    assert.equal(describeVault(view), expected);
  });

  it('ends a cached value with its lease', () => {
    const lease = { secondsLeft: 60, renewable: true };
    const { cachedUntil } = viewOf(secret('stale', 'VAULT_SEALED', { goodAt: NOW, lease }));
    assert.equal(cachedUntil, NOW + MINUTE);
  });

  it('counts values that are too old, and leases that have ended', () => {
    assert.equal(
      textOf(secret('stale', 'VAULT_SEALED', { goodAt: NOW - 61 * MINUTE }), secret('ended', 'VAULT_SEALED')),
      'Vault is sealed. 2 secrets have expired or are too old.',
    );
  });

  it('distinguishes a refused login and a value that Vault does not confirm', () => {
    for (const [state, code, condition] of [
      ['stale', 'VAULT_LOGIN_FAILED', 'login refused'],
      ['stale', 'VAULT_LOGIN_UNAVAILABLE', 'login failing'],
      ['stale', 'VAULT_RATE_LIMITED', 'rate limited'],
      ['stale', 'VAULT_DENIED', 'degraded'],
      ['stale', 'VAULT_ENGINE_FAILED', 'degraded'],
      ['missing', 'VAULT_ENGINE_FAILED', 'connected'],
      ['ended', undefined, 'degraded'],
    ] as const)
      assert.equal(viewOf(secret(state, code)).condition, condition, code);
  });

  it('stays connected if a reference never had a value, unless Vault itself failed', () => {
    assert.equal(viewOf(secret('missing', 'VAULT_NOT_FOUND'), secret('current')).condition, 'connected');
    const sealed = viewOf(secret('missing', 'VAULT_SEALED'));
    assert.deepEqual([sealed.condition, sealed.cachedCount, sealed.lostCount], ['sealed', 0, 0]);
    assert.equal(sealed.failure?.reference, '$VAULT_missing#p');
  });
});
