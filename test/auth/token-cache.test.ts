import assert from 'node:assert/strict';
import { fixedKeys } from '../../src/auth/issuer.js';
import { originOf } from '../../src/auth/revoked-sessions.js';
import { createVerifier, createTokenCache } from '../../src/auth/verifier.js';
import { makeIssuer } from '../support/tokens.js';
import { acceptNow, ISSUER_SETTINGS, manualClock, NOW, refusalOf, trust } from './fixtures.js';

const principal = { subject: 'a', issuer: 'i', roles: [], expiresAt: 0 };

function entry(expiresAt = 1000) {
  const keys = fixedKeys([]);
  const issuer = { rules: ISSUER_SETTINGS, keys };
  return { principal, issuer, keys: keys.current()!, expiresAt, origin: originOf('i', {}) };
}

describe('createTokenCache', () => {
  it('evicts the least recently used token', () => {
    const cache = createTokenCache(2);
    cache.add('a', entry());
    assert.ok(cache.find('a', 0));
    cache.add('b', entry());
    assert.ok(cache.find('a', 0));
    cache.add('c', entry());
    assert.ok(cache.find('a', 0));
    assert.equal(cache.find('b', 0), undefined);
  });

  it('drops a token at its expiry', () => {
    const cache = createTokenCache(2);
    cache.add('a', entry(1000));
    assert.ok(cache.find('a', 999));
    assert.equal(cache.find('a', 1000), undefined);
    assert.equal(cache.find('a', 999), undefined);
  });

  it('keeps more than 10,000 tokens', () => {
    const cache = createTokenCache();
    for (let at = 0; at < 20_000; at += 1) cache.add(`token ${at}`, entry());
    assert.ok(cache.find('token 0', 0));
    assert.ok(cache.find('token 19999', 0));
  });

  it('evicts tokens whose principals take more than its memory', () => {
    const cache = createTokenCache();
    const large = { ...entry(), principal: { ...principal, subject: 'a'.repeat(20_000_000) } };
    for (const name of ['a', 'b', 'c']) cache.add(name, large);
    assert.equal(cache.find('a', 0), undefined);
    assert.ok(cache.find('c', 0));
  });
});

describe('an accepted token', () => {
  const clock = manualClock();
  const idp = makeIssuer({ now: () => NOW * 1000, settings: { clockToleranceSeconds: 10 } });
  afterEach(() => {
    clock.seconds = NOW;
  });

  it('is not verified twice', () => {
    const verifier = createVerifier({ issuers: [trust(idp)], clock });
    const token = idp.sign();
    assert.equal(acceptNow(verifier, token), acceptNow(verifier, token));
    const forgetful = createVerifier({ issuers: [trust(idp)], clock, cacheSize: 0 });
    assert.notEqual(acceptNow(forgetful, token), acceptNow(forgetful, token));
  });

  it('expires at its exp plus the tolerance', async () => {
    const verifier = createVerifier({ issuers: [trust(idp)], clock });
    const token = idp.sign();
    acceptNow(verifier, token);
    clock.seconds = NOW + 309;
    acceptNow(verifier, token);
    clock.seconds = NOW + 310;
    assert.match(await refusalOf(verifier, token), /expired/);
  });
});
