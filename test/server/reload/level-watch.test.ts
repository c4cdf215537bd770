import assert from 'node:assert/strict';
import { NO_OVERRIDES, type ComponentOverrides } from '../../../src/core/component.js';
import { withLevels } from '../../../src/core/log-levels.js';
import { type ComponentKind, NO_STATE, type PlatformState } from '../../../src/core/platform-state.js';
import { LevelWatch } from '../../../src/server/reload/log-levels.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';

/** Opens a node with a state that the test can change like another node. */
function openNode() {
  const scheduler = createFakeScheduler();
  const allOverrides: Record<ComponentKind, Map<string, ComponentOverrides>> = {
    adapter: new Map(),
    application: new Map(),
  };
  const { log, lines } = memoryLog();
  const state = (): PlatformState => ({
    ...NO_STATE,
    overrides: { adapter: new Map(allOverrides.adapter), application: new Map(allOverrides.application) },
  });
  let writes = 0;
  const node = { isUnavailable: false };
  const watch = new LevelWatch({
    scheduler,
    log,
    platform: {
      read: () => (node.isUnavailable ? Promise.reject(new Error('away')) : Promise.resolve(state())),
      overrides({ kind, name }, change) {
        writes += 1;
        const overrides = change(allOverrides[kind].get(name) ?? NO_OVERRIDES);
        allOverrides[kind].set(name, overrides);
        return Promise.resolve(overrides);
      },
    },
    apply() {
      watch.watch(state());
      return Promise.resolve();
    },
  });
  const requestLevels = (kind: ComponentKind, name: string, seconds: number): void => {
    const at = scheduler.now() + seconds * 1000;
    allOverrides[kind].set(name, withLevels(NO_OVERRIDES, { file: 'spam' }, at));
    watch.watch(state());
  };
  const levelsOf = (kind: ComponentKind, name: string) => allOverrides[kind].get(name)?.levels;
  return { scheduler, allOverrides, watch, requestLevels, levelsOf, lines, node, writes: () => writes };
}

describe('temporary log levels', () => {
  it('end one after the other, each at its own time', async () => {
    const { scheduler, requestLevels, levelsOf, lines } = openNode();
    requestLevels('adapter', 'late', 60);
    requestLevels('application', 'Tools', 20);
    await scheduler.pass(19_999);
    assert.deepEqual(levelsOf('application', 'Tools'), { file: 'spam' });
    await scheduler.pass(1);
    assert.deepEqual([levelsOf('application', 'Tools'), levelsOf('adapter', 'late')], [{}, { file: 'spam' }]);
    await scheduler.pass(40_000);
    assert.deepEqual(levelsOf('adapter', 'late'), {});
    assert.deepEqual(
      lines.map(({ message, fields }) => [message, fields]),
      [
        ['temporary log levels ended; restored the previous levels', { application: 'Tools' }],
        ['temporary log levels ended; restored the previous levels', { adapter: 'late' }],
      ],
    );
    assert.equal(scheduler.next(), undefined);
  });

  it('end immediately if their time was over before the start', async () => {
    const { scheduler, requestLevels, levelsOf } = openNode();
    requestLevels('adapter', 'a', -3600);
    await scheduler.pass(0);
    assert.deepEqual(levelsOf('adapter', 'a'), {});
  });

  it('are restored by a retry after a store outage', async () => {
    const { scheduler, requestLevels, levelsOf, lines, node } = openNode();
    requestLevels('adapter', 'a', 20);
    node.isUnavailable = true;
    await scheduler.pass(20_000);
    assert.equal(lines.at(-1)?.message, 'log levels not restored; trying again');
    node.isUnavailable = false;
    await scheduler.pass(10_000);
    assert.deepEqual(levelsOf('adapter', 'a'), {});
  });

  it('are not restored again if another node has already restored them', async () => {
    const { scheduler, requestLevels, allOverrides, writes } = openNode();
    requestLevels('adapter', 'a', 20);
    allOverrides.adapter.set('a', NO_OVERRIDES);
    await scheduler.pass(20_000);
    assert.equal(writes(), 0);
    assert.equal(scheduler.next(), undefined);
  });

  it('stay unchanged once the watch is closed', async () => {
    const { scheduler, requestLevels, watch, levelsOf } = openNode();
    requestLevels('adapter', 'a', 20);
    watch.close();
    await scheduler.pass(60_000);
    assert.deepEqual(levelsOf('adapter', 'a'), { file: 'spam' });
  });
});
