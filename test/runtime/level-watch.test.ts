import assert from 'node:assert/strict';
import { NO_WISH, type Wish } from '../../src/domain/component.js';
import { withLevels } from '../../src/domain/passing-levels.js';
import { type ComponentKind, NO_STATE, type PlatformState } from '../../src/domain/platform-state.js';
import { LevelWatch } from '../../src/runtime/level-watch.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog } from '../support/memory-log.js';

/** A node with a state that other nodes may change. */
function openNode() {
  const scheduler = createFakeScheduler();
  const wishes: Record<ComponentKind, Map<string, Wish>> = { adapter: new Map(), application: new Map() };
  const { log, lines } = memoryLog();
  const state = (): PlatformState => ({
    ...NO_STATE,
    wishes: { adapter: new Map(wishes.adapter), application: new Map(wishes.application) },
  });
  let writes = 0;
  const node = { isAway: false };
  const watch = new LevelWatch({
    ...{ scheduler, log },
    platform: {
      read: () => (node.isAway ? Promise.reject(new Error('away')) : Promise.resolve(state())),
      wish({ kind, name }, change) {
        writes += 1;
        const wish = change(wishes[kind].get(name) ?? NO_WISH);
        wishes[kind].set(name, wish);
        return Promise.resolve(wish);
      },
    },
    takeUp() {
      watch.watch(state());
      return Promise.resolve();
    },
  });
  const ask = (kind: ComponentKind, name: string, seconds: number): void => {
    const at = scheduler.now() + seconds * 1000;
    wishes[kind].set(name, withLevels(NO_WISH, { file: 'spam' }, at));
    watch.watch(state());
  };
  const levelsOf = (kind: ComponentKind, name: string) => wishes[kind].get(name)?.levels;
  return { scheduler, wishes, watch, ask, levelsOf, lines, node, writes: () => writes };
}

describe('levels of the log that were asked for a time', () => {
  it('go back one after the other, each in its time', async () => {
    const { scheduler, ask, levelsOf, lines } = openNode();
    ask('adapter', 'late', 60);
    ask('application', 'Tools', 20);
    await scheduler.pass(19_999);
    assert.deepEqual(levelsOf('application', 'Tools'), { file: 'spam' });
    await scheduler.pass(1);
    assert.deepEqual([levelsOf('application', 'Tools'), levelsOf('adapter', 'late')], [{}, { file: 'spam' }]);
    await scheduler.pass(40_000);
    assert.deepEqual(levelsOf('adapter', 'late'), {});
    assert.deepEqual(
      lines.map(({ message, fields }) => [message, fields]),
      [
        ['log levels went back, their time is over', { application: 'Tools' }],
        ['log levels went back, their time is over', { adapter: 'late' }],
      ],
    );
    assert.equal(scheduler.next(), undefined);
  });

  it('go back at once where their time was over before the start', async () => {
    const { scheduler, ask, levelsOf } = openNode();
    ask('adapter', 'a', -3600);
    await scheduler.pass(0);
    assert.deepEqual(levelsOf('adapter', 'a'), {});
  });

  it('go back later where the store is away, and are tried again', async () => {
    const { scheduler, ask, levelsOf, lines, node } = openNode();
    ask('adapter', 'a', 20);
    node.isAway = true;
    await scheduler.pass(20_000);
    assert.equal(lines.at(-1)?.message, 'log levels cannot go back yet');
    node.isAway = false;
    await scheduler.pass(10_000);
    assert.deepEqual(levelsOf('adapter', 'a'), {});
  });

  it('are left to the node that was first', async () => {
    const { scheduler, ask, wishes, writes } = openNode();
    ask('adapter', 'a', 20);
    wishes.adapter.set('a', NO_WISH);
    await scheduler.pass(20_000);
    assert.equal(writes(), 0);
    assert.equal(scheduler.next(), undefined);
  });

  it('are nobody’s business once the watch is closed', async () => {
    const { scheduler, ask, watch, levelsOf } = openNode();
    ask('adapter', 'a', 20);
    watch.close();
    await scheduler.pass(60_000);
    assert.deepEqual(levelsOf('adapter', 'a'), { file: 'spam' });
  });
});
