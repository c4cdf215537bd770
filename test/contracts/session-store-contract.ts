import assert from 'node:assert/strict';
import type { StoredSession, SessionStore } from '../../src/core/session.js';
import type { Store } from '../../src/features/store.js';
import { column } from '../support/columns.js';

const session = (at: number, expiresAt = 1_000): StoredSession => ({
  id: `id-${at}`,
  user: `user ${at}`,
  kind: 'user',
  issuedAt: at,
  expiresAt,
  token: `shown-${at}`,
  digest: `digest-${at}`,
});

const shown = ({ digest, ...rest }: StoredSession): object => {
  assert.notEqual(digest, '');
  return rest;
};

/**
 * Defines the tests of sessions and revoked tokens for every store. `open` returns a store without either.
 */
export function sessionStoreContract(open: () => Promise<Store>): void {
  let store: Store;
  let sessions: SessionStore;

  before(async () => {
    store = await open();
    ({ sessions } = store);
  });
  after(() => store.close());

  const listed = async (now: number): Promise<readonly string[]> =>
    (await sessions.list(now)).map(({ id }) => id);

  it('lists sessions unchanged, oldest first, until they expire', async () => {
    const [one, two, three] = [session(1), session(2, 500), session(3)];
    await sessions.keep([three, one], 0);
    await sessions.keep([two, { ...one, user: 'somebody else' }], 0);
    assert.deepEqual(await sessions.list(0), [one, two, three].map(shown));
    assert.deepEqual(await listed(500), ['id-1', 'id-3']);
  });

  it('omits a session whose token was revoked', async () => {
    await sessions.end([{ digest: 'digest-3', until: 2_000 }], 0);
    assert.deepEqual(await listed(0), ['id-1', 'id-2']);
  });

  it('returns the tokens that were revoked after a mark, each one once', async () => {
    const first = await sessions.endedBehind(0);
    assert.deepEqual(first.tokens, [{ digest: 'digest-3', until: 2_000 }]);
    assert.deepEqual(await sessions.endedBehind(first.mark), {
      tokens: [],
      mark: first.mark,
      hasMore: false,
    });
    const more = [
      { digest: 'digest-3', until: 2_000 },
      { digest: 'b', until: 3_000 },
      { digest: 'a', until: 1_900_000_000_000 },
    ];
    await sessions.end(more, 0);
    const second = await sessions.endedBehind(first.mark);
    assert.deepEqual(second.tokens, more.slice(1));
    assert.ok(second.mark > first.mark);
  });

  it('finding F4: returns all revoked tokens, page by page', async () => {
    const many = Array.from({ length: 10_003 }, (_, at) => ({
      digest: `many-${at}`,
      until: 1_900_000_000_000,
    }));
    const { mark } = await sessions.endedBehind(0);
    await sessions.end(many, 0);
    const first = await sessions.endedBehind(mark);
    const second = await sessions.endedBehind(first.mark);
    assert.deepEqual([first.hasMore, second.hasMore], [true, false]);
    assert.deepEqual([...first.tokens, ...second.tokens], many);
  });

  it('deletes expired entries and uses no mark twice', async () => {
    const { mark } = await sessions.endedBehind(0);
    await sessions.end([], 1_900_000_000_000);
    assert.deepEqual(await sessions.endedBehind(0), { tokens: [], mark: 0, hasMore: false });
    await sessions.end([{ digest: 'new', until: 2_000_000_000_000 }], 1_900_000_000_000);
    assert.deepEqual(column((await sessions.endedBehind(mark)).tokens, 'digest'), ['new']);
    await sessions.keep([], 1_000);
    assert.deepEqual(await sessions.list(0), []);
  });

  it('keeps the newest sessions up to its maximum', async () => {
    const many = Array.from({ length: 10_002 }, (_, at) => session(at));
    await sessions.keep(many, 0);
    const ids = await listed(0);
    assert.deepEqual([ids.length, ids[0]], [10_000, 'id-2']);
    await sessions.keep([], 1_000);
  });
}
