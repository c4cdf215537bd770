import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Secret } from '../../../src/core/secret.js';
import { jitteredBackoffMs } from '../../../src/lib/backoff.js';
import type { VaultLogin } from '../../../src/secrets/vault/client.js';
import { nextStep, RENEWAL_BACKOFF, renewed } from '../../../src/secrets/vault/token-manager.js';

const login = (leaseSeconds: number | null, renewable = true): VaultLogin => ({
  token: new Secret('t'),
  leaseSeconds,
  grantedSeconds: leaseSeconds ?? 0,
  renewable,
});
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('nextStep', () => {
  it('A-13 renews a token after 59 to 74 % of its life, or replaces it after 80 to 90 %, never within a second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), fc.boolean(), random, (ttl, renewable, at) => {
        const step = nextStep(login(ttl, renewable), () => at);
        assert.equal(step?.action, renewable ? 'renew' : 'replace');
        const [least, most] = renewable ? [0.59, 0.74] : [0.8, 0.9];
        assert.ok(step.afterMs >= Math.max(1000, ttl * 1000 * least));
        assert.ok(step.afterMs <= Math.max(1000, ttl * 1000 * most));
      }),
    );
  });

  it('A-16 returns undefined for a token that never expires or that another process manages', () => {
    assert.equal(
      nextStep(login(0), () => 0.5),
      undefined,
    );
    assert.equal(
      nextStep(login(null), () => 0.5),
      undefined,
    );
  });

  it('A-15 does not renew a token again after a renewal was shorter than requested', () => {
    assert.equal(renewed(login(1000), 1000).renewable, true);
    assert.equal(renewed(login(1000), 899).renewable, false);
  });

  it('A-14 retries with delays that grow from one second to five minutes', () => {
    const longest = [1, 2, 3, 9, 20].map((failures) => jitteredBackoffMs(failures, RENEWAL_BACKOFF, () => 1));
    assert.deepEqual(longest, [2000, 4000, 8000, 300_000, 300_000]);
    assert.equal(
      jitteredBackoffMs(9, RENEWAL_BACKOFF, () => 0),
      1000,
    );
  });
});
