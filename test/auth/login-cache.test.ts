import assert from 'node:assert/strict';
import { createLoginCache } from '../../src/auth/logins.js';
import type { Account, LoginAttempt } from '../../src/core/login.js';
import { Secret } from '../../src/core/secret.js';
import { manualClock } from './fixtures.js';

describe('createRememberedLogins', () => {
  const attempt = (name: string, password = 'p'): LoginAttempt => ({
    name,
    address: '192.0.2.1',
    kinds: ['user'],
    password: new Secret(password),
  });
  const account = (name: string): Account => ({ kind: 'user', name, roles: [], mark: name });

  it('evicts the oldest login at its maximum size', () => {
    const logins = createLoginCache({ clock: manualClock(), size: 2 });
    const found = () => ['a', 'b', 'c'].map((name) => logins.find(attempt(name))?.name);
    for (const name of ['a', 'b']) logins.add(attempt(name), account(name));
    assert.deepEqual(found(), ['a', 'b', undefined]);
    logins.add(attempt('c'), account('c'));
    assert.deepEqual(found(), [undefined, 'b', 'c']);
  });

  it('finds a login by name, password and kind until it expires', () => {
    const clock = manualClock();
    const logins = createLoginCache({ clock, ttlMs: 2_000 });
    logins.add(attempt('a'), account('a'));
    assert.equal(logins.find(attempt('a', 'q')), undefined);
    assert.equal(logins.find({ ...attempt('a'), kinds: ['client'] }), undefined);
    clock.seconds += 1;
    assert.equal(logins.find(attempt('a'))?.name, 'a');
    clock.seconds += 1;
    assert.equal(logins.find(attempt('a'))?.name, 'a', 'its last use extends its lifetime');
    clock.seconds += 2;
    assert.equal(logins.find(attempt('a')), undefined);
  });

  it('finding F10: finds no login from another address, which could otherwise guess', () => {
    const logins = createLoginCache({ clock: manualClock() });
    logins.add(attempt('a'), account('a'));
    assert.equal(logins.find({ ...attempt('a'), address: '192.0.2.2' }), undefined);
  });
});
