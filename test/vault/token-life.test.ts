import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Secret } from '../../src/core/secret.js';
import type { VaultLogin } from '../../src/vault/token-calls.js';
import { backoffMs, nextStep, renewed } from '../../src/vault/token-manager.js';

const login = (leaseSeconds: number | null, renewable = true): VaultLogin => ({
  token: new Secret('t'),
  leaseSeconds,
  grantedSeconds: leaseSeconds ?? 0,
  renewable,
});
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the life of a token', () => {
  it('A-13 is renewed after 60 to 74 % of it, or replaced after 80 to 90 %, and never within a second', () => {
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

  it('A-16 needs nothing when it is for ever, or in the hands of another', () => {
    assert.equal(
      nextStep(login(0), () => 0.5),
      undefined,
    );
    assert.equal(
      nextStep(login(null), () => 0.5),
      undefined,
    );
  });

  it('A-15 is not renewed again once a renewal gave less than it should', () => {
    assert.equal(renewed(login(1000), 1000).renewable, true);
    assert.equal(renewed(login(1000), 899).renewable, false);
  });

  it('A-14 is fought for with waits that grow from a second to five minutes', () => {
    const longest = [1, 2, 3, 9, 20].map((failures) => backoffMs(failures, () => 1));
    assert.deepEqual(longest, [2000, 4000, 8000, 300_000, 300_000]);
    assert.equal(
      backoffMs(9, () => 0),
      1000,
    );
  });
});
