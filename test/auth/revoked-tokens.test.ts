import assert from 'node:assert/strict';
import { openLocalIssuer } from '../../src/auth/local-issuer.js';
import { createRevocationLimit, createRevokedTokens, digestOf } from '../../src/auth/revoked-tokens.js';
import { createVerifier } from '../../src/auth/verifier.js';
import { column } from '../support/columns.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { acceptNow, refusalOf } from './fixtures.js';

describe('createRevokedTokens', () => {
  const clock = createFakeScheduler();

  it('makes the verifier reject revoked tokens with any signature, even after they were accepted', async () => {
    const ended = createRevokedTokens(clock);
    const keyFile = `${temporaryFolder().path}/key.pem`;
    const local = await openLocalIssuer({ keyFile, clock, tokenTtlSeconds: 60, createKey: true });
    const verifier = createVerifier({ issuers: [local.issuer], clock, ended });
    const [revoked = '', valid = ''] = ['ada', 'bob'].map((subject) =>
      local.issueToken({ subject, roles: [] }),
    );
    for (const token of [revoked, valid]) acceptNow(verifier, token);
    await ended.end(revoked, clock.now() + 60_000);
    assert.match(await refusalOf(verifier, revoked), /revoked by a sign-out/);
    const other = `${revoked.slice(0, revoked.lastIndexOf('.'))}.AAAA`;
    assert.match(await refusalOf(verifier, other), /revoked by a sign-out/);
    acceptNow(verifier, valid);
  });

  it('notifies listeners with a digest that identifies no caller', async () => {
    const [ended, other] = [createRevokedTokens(clock), createRevokedTokens(clock)];
    await ended.end('a.1.secret', clock.now() + 10);
    const cancel = ended.onEnd(other.add);
    await ended.end('a.2.secret', clock.now() + 20);
    cancel();
    await ended.end('a.3.secret', clock.now() + 30);
    assert.deepEqual(other.all(), [{ digest: digestOf('a.2.secret'), until: clock.now() + 20 }]);
    assert.deepEqual(column(ended.all(), 'digest'), ['a.1.x', 'a.2.x', 'a.3.x'].map(digestOf));
    assert.ok(other.has('a.2.secret'));
  });

  it('finding F4: removes expired tokens, and never a token that has not expired', async () => {
    const ended = createRevokedTokens(clock, 2);
    await ended.end('a.1.x', clock.now() + 10);
    await ended.end('a.2.x', clock.now() + 1_000);
    await clock.pass(10);
    await ended.end('a.3.x', clock.now() + 1_000);
    assert.deepEqual(['a.1.x', 'a.2.x', 'a.3.x', 'a', ''].map(ended.has), [false, true, true, false, false]);
    for (let at = 4; at < 20; at += 1) await ended.end(`a.${at}.x`, clock.now() + 1_000);
    assert.ok(Array.from({ length: 18 }, (_, at) => `a.${at + 2}.x`).every(ended.has));
    await clock.pass(1_000);
    for (let at = 20; at < 60; at += 1) await ended.end(`a.${at}.x`, clock.now() + 1_000);
    assert.ok(!ended.has('a.2.x'), 'an expired token stays');
  });

  it('finding F4: limits the revocations of each subject', async () => {
    const countRevocation = createRevocationLimit(clock);
    for (let time = 0; time < 1_000; time += 1) countRevocation('robo');
    assert.throws(() => {
      countRevocation('robo');
    }, /still valid: its subject has signed out 1000 times within an hour; try again in 3600 s/);
    countRevocation('ada');
    await clock.pass(3_600_000);
    countRevocation('robo');
  });

  it('removes tokens exactly at their expiry, and only when it needs space', async () => {
    const ended = createRevokedTokens(clock, 2);
    for (const name of ['a.1.x', 'a.2.x']) await ended.end(name, clock.now() + 10);
    await clock.pass(10);
    assert.equal(ended.all().length, 2);
    await ended.end('a.3.x', clock.now() + 10);
    assert.deepEqual(ended.all(), [{ digest: digestOf('a.3.x'), until: clock.now() + 10 }]);
    await clock.pass(9);
    await ended.end('a.4.x', clock.now() + 10);
    assert.deepEqual(['a.3.x', 'a.4.x'].map(ended.has), [true, true]);
    await ended.end('a.5.x', clock.now() + 10);
    assert.deepEqual(['a.3.x', 'a.4.x', 'a.5.x'].map(ended.has), [true, true, true]);
  });

  it('ignores known and expired tokens', () => {
    const ended = createRevokedTokens(clock, 2);
    const notified: string[] = [];
    ended.onEnd((tokens) => notified.push(...tokens.map(({ digest }) => digest)));
    const until = clock.now() + 10;
    ended.add([{ digest: 'a', until }]);
    ended.add([
      { digest: 'a', until: until + 5 },
      { digest: 'late', until: clock.now() },
    ]);
    assert.deepEqual(notified, ['a']);
    assert.deepEqual(ended.all(), [{ digest: 'a', until }]);
  });
});
