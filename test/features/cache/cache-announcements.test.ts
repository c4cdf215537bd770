import assert from 'node:assert/strict';
import type { PeerQuestions } from '../../../src/core/cluster-events.js';
import type { CacheChange } from '../../../src/core/read-cache.js';
import { announceCacheChanges, createCacheChanges } from '../../../src/features/cache/cache-changes.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';

describe('announcements of changes to other nodes', () => {
  let announced: unknown[];
  let told: CacheChange[];
  let receive: (text: string) => void;
  let miss: () => void;
  let changes: ReturnType<typeof createCacheChanges>;
  beforeEach(() => {
    announced = [];
    told = [];
    changes = createCacheChanges();
    const peers: PeerQuestions = {
      ask: () => Promise.resolve({ answers: [], silent: 0 }),
      announce(text) {
        announced.push(JSON.parse(text));
        return Promise.resolve();
      },
      onAnnouncement: (handle) => (receive = handle),
      onMissedAnnouncements: (handle) => (miss = handle),
      onQuestion: () => undefined,
    };
    announceCacheChanges(changes, peers, { scheduler: createFakeScheduler(), log: memoryLog().log });
    changes.addSender((change) => {
      told.push(change);
      return Promise.resolve();
    });
  });

  it('contain the adapter and the path, or everywhere for a long path', async () => {
    await changes.report({ adapter: 'nso1', path: '/a' });
    await changes.report({ adapter: 'nso1', path: `/${'é'.repeat(1_000)}` });
    assert.deepEqual(announced, [
      { cacheChange: { adapter: 'nso1', path: '/a' } },
      { cacheChange: { adapter: 'nso1', path: null } },
    ]);
  });

  it('of other nodes are passed to the workers and not announced again', () => {
    receive(JSON.stringify({ cacheChange: { adapter: 'nso1', path: '/a' } }));
    const odd = ['{"cacheChange":{"adapter":null,"path":null}}', '{"cacheChange":{"adapter":"a"}}'];
    for (const text of ['{', '[]', ...odd]) receive(text);
    assert.deepEqual(told, [{ adapter: 'nso1', path: '/a' }]);
    assert.deepEqual(announced, []);
  });

  it('that may have been missed count as changes everywhere', () => {
    miss();
    assert.deepEqual(told, [{ adapter: null, path: null }]);
    assert.deepEqual(announced, []);
  });
});
