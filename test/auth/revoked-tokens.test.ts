import assert from 'node:assert/strict';
import { openLocalIssuer } from '../../src/auth/local-issuer.js';
import {
  createRevocationLimit,
  createRevokedTokens,
  digestOf,
  syncRevokedTokens,
} from '../../src/auth/revoked-tokens.js';
import { createVerifier } from '../../src/auth/verifier.js';
import { Problem } from '../../src/core/problem.js';
import type { SessionStore } from '../../src/core/session.js';
import { openStore } from '../../src/features/open-store.js';
import type { Store } from '../../src/features/store.js';
import { column } from '../support/columns.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';
import { acceptNow, refusalOf } from './fixtures.js';

const TOKEN = 'header.payload.signature';

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

  it('finding F4: removes tokens exactly at their expiry when it needs space, and no other token', async () => {
    const ended = createRevokedTokens(clock, 2);
    for (const name of ['a.1.x', 'a.2.x']) await ended.end(name, clock.now() + 10);
    await clock.pass(10);
    assert.equal(ended.all().length, 2);
    await ended.end('a.3.x', clock.now() + 10);
    assert.deepEqual(ended.all(), [{ digest: digestOf('a.3.x'), until: clock.now() + 10 }]);
    await clock.pass(9);
    for (let at = 4; at < 20; at += 1) await ended.end(`a.${at}.x`, clock.now() + 1_000);
    const last = Array.from({ length: 17 }, (_, at) => `a.${at + 3}.x`);
    assert.deepEqual(last.map(ended.has), Array(17).fill(true));
    assert.deepEqual(['a.1.x', 'a.2.x', 'a', ''].map(ended.has), Array(4).fill(false));
    await clock.pass(1_000);
    for (let at = 20; at < 60; at += 1) await ended.end(`a.${at}.x`, clock.now() + 1_000);
    assert.ok(!ended.has('a.3.x'), 'an expired token stays');
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

describe('syncRevokedTokens', () => {
  const scheduler = createFakeScheduler();
  const later = (): number => scheduler.now() + 60_000;
  let store: Store;
  beforeEach(async () => (store = await openStore('sqlite::memory:')));
  afterEach(() => store.close());

  const node = (sessions: Pick<SessionStore, 'end' | 'endedBehind'> = store.sessions) =>
    syncRevokedTokens({ held: createRevokedTokens(scheduler), store: sessions, scheduler });

  it('makes a token revoked on every node after a poll and notifies listeners once', async () => {
    const [one, other] = [await node(), await node()];
    let notifications = 0;
    other.onEnd(() => (notifications += 1));
    await one.end(TOKEN, later());
    assert.deepEqual([one.has(TOKEN), other.has(TOKEN)], [true, false]);
    await other.poll();
    await other.poll();
    assert.deepEqual(
      [other.has(TOKEN), other.has('header.other.signature'), notifications],
      [true, false, 1],
    );
  });

  it('finding F4: loads all stored tokens', async () => {
    const tokens = Array.from({ length: 25_000 }, (_, at) => `header.${at}.signature`);
    const revoked = tokens.map((token) => ({ digest: digestOf(token), until: later() }));
    await store.sessions.end(revoked, scheduler.now());
    const other = await node();
    assert.ok(tokens.every(other.has));
  });

  it('revokes at once locally while the store is unavailable, and later on the other nodes', async () => {
    let isAway = true;
    const one = await node({
      ...store.sessions,
      end: (tokens, now) =>
        isAway ? Promise.reject(new Problem('store_unavailable', 'away')) : store.sessions.end(tokens, now),
    });
    await assert.rejects(one.end(TOKEN, later()), { code: 'store_unavailable' });
    assert.ok(one.has(TOKEN));
    isAway = false;
    await scheduler.pass(1_000);
    const other = await node();
    await eventually(async () => {
      await other.poll();
      assert.ok(other.has(TOKEN));
    });
  });

  it('stores only a digest of the token', async () => {
    await (await node()).end(TOKEN, later());
    const { tokens } = await store.sessions.endedBehind(0);
    assert.deepEqual(column(tokens, 'digest'), [digestOf(TOKEN)]);
    assert.match(digestOf(TOKEN), /^[\w-]{43}$/);
  });
});
