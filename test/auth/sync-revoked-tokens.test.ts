import assert from 'node:assert/strict';
import { createRevokedTokens, digestOf, syncRevokedTokens } from '../../src/auth/revoked-tokens.js';
import { Problem } from '../../src/core/problem.js';
import type { SessionStore } from '../../src/core/session.js';
import { openStore } from '../../src/features/open-store.js';
import type { Store } from '../../src/features/store.js';
import { column } from '../support/columns.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { eventually } from '../support/until.js';

const TOKEN = 'header.payload.signature';

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
