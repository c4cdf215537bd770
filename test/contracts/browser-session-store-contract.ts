import assert from 'node:assert/strict';
import type { BrowserSessionStore, StoredBrowserSession } from '../../src/core/browser-session.js';
import type { Store } from '../../src/features/store.js';

const session = (id: string, more: Partial<StoredBrowserSession> = {}): StoredBrowserSession => ({
  id,
  issuer: 'https://idp.test',
  subject: 'ada',
  sid: null,
  sealed: `sealed ${id}`,
  tokenDigest: `digest ${id}`,
  tokenUntil: 5_000_000_000_000,
  startedAt: 1_000_000_000_000,
  activeAt: 1_000_000_000_000,
  endsAt: 2_000_000_000_000,
  revision: 0,
  ...more,
});

/** Defines the tests of the sessions of browsers for every store. `open` returns a store without sessions. */
export function browserSessionStoreContract(open: () => Promise<Store>): void {
  let store: Store;
  let sessions: BrowserSessionStore;

  before(async () => {
    store = await open();
    sessions = store.browserSessions;
  });
  after(() => store.close());

  it('returns a session unchanged until it is removed', async () => {
    const one = session('one', { sid: 's1' });
    await sessions.create(one, 0);
    assert.deepEqual(await sessions.find('one'), one);
    assert.equal(await sessions.find('two'), undefined);
    assert.deepEqual([await sessions.remove('one'), await sessions.remove('one')], [true, false]);
    assert.equal(await sessions.find('one'), undefined);
  });

  it('drops sessions that have ended with the next new session', async () => {
    await sessions.create(session('old', { endsAt: 10 }), 0);
    await sessions.create(session('new'), 10);
    assert.equal(await sessions.find('old'), undefined);
    assert.ok(await sessions.remove('new'));
  });

  it('reserves a renewal for one of several nodes, until it is replaced, released or too late', async () => {
    const one = session('one');
    await sessions.create(one, 0);
    const attempts = await Promise.all([1, 2, 3].map(() => sessions.reserve(one, 100, 200)));
    assert.deepEqual(attempts.filter(Boolean), [true]);
    assert.deepEqual(
      [await sessions.reserve(one, 199, 300), await sessions.reserve(one, 200, 300)],
      [false, true],
    );
    await sessions.release(one);
    assert.equal(await sessions.reserve(one, 200, 300), true);
    const next = { ...one, revision: 1, sealed: 'next', tokenDigest: 'd2', tokenUntil: 7, activeAt: 8 };
    assert.equal(await sessions.replace(next), true);
    assert.deepEqual(await sessions.find('one'), next);
    // The former revision can be neither reserved nor replaced.
    assert.deepEqual([await sessions.reserve(one, 900, 999), await sessions.replace(next)], [false, false]);
    assert.equal(await sessions.reserve(next, 200, 300), true);
    assert.ok(await sessions.remove('one'));
    assert.equal(await sessions.replace({ ...next, revision: 2 }), false);
  });

  it('removes and returns the sessions of an issuer by session id or by subject', async () => {
    const all = [
      session('a', { sid: 's1' }),
      session('b', { sid: 's2' }),
      session('c', { sid: 's1', subject: 'eve' }),
      session('d', { sid: 's1', issuer: 'https://other.test' }),
    ];
    for (const one of all) await sessions.create(one, 0);
    const issuer = 'https://idp.test';
    const ids = (removed: readonly StoredBrowserSession[]): readonly string[] =>
      removed.map(({ id }) => id).sort();
    assert.deepEqual(ids(await sessions.removeAll({ issuer, sid: 's1' })), ['a', 'c']);
    assert.deepEqual(await sessions.removeAll({ issuer, subject: 'ada' }), [session('b', { sid: 's2' })]);
    assert.deepEqual(await sessions.removeAll({ issuer, subject: 'ada' }), []);
    assert.ok(await sessions.find('d'));
  });
}
