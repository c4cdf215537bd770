import assert from 'node:assert/strict';
import { type Impact, impactOf } from '../../../src/features/console/find-impact.js';
import { MAIN, openRuntime, recordOf, type TestRuntime } from '../../support/adapter-runtime.js';

describe('impactOf', () => {
  let runtime: TestRuntime;
  beforeEach(async () => {
    runtime = await openRuntime({
      main: `${MAIN}log: { level: warn }\n`,
      records: ['a', 'b', 'c', 'd'].map((name) => recordOf(name)),
    });
  });
  afterEach(() => runtime.close());

  /** Applies a change, asserts that exactly the predicted adapters have new instances, and returns the impact. */
  const impactAfter = async (change: () => void): Promise<Impact> => {
    const before = runtime.current.current();
    change();
    assert.deepEqual(await runtime.applyRecords(), []);
    const now = runtime.current.current();
    const impact = impactOf(before.desired, now.desired);
    const changed = [...now.adapters].filter(([id, instance]) => before.adapters.get(id) !== instance);
    const predicted = [...impact.starts, ...impact.restarts, ...impact.stops].filter((id) =>
      now.adapters.has(id),
    );
    assert.deepEqual(changed.map(([id]) => id).sort(), predicted.sort());
    return impact;
  };

  it('returns an empty impact if a change rebuilds nothing', async () => {
    const emptyImpact = { starts: [], stops: [], restarts: [], unchanged: 4, settings: [] };
    assert.deepEqual(await impactAfter(() => undefined), emptyImpact);
    const leveled = await impactAfter(() => {
      runtime.setOverrides('a', { levels: { console: 'debug' } });
    });
    assert.deepEqual(leveled, emptyImpact);
  });

  it('lists the adapters that the reload then starts, stops and restarts', async () => {
    runtime.setOverrides('c', { wanted: 'stopped' });
    await runtime.applyRecords();
    const impact = await impactAfter(() => {
      runtime.setOverrides('a', { wanted: 'stopped' });
      runtime.setOverrides('b', { restarts: 1 });
      runtime.setOverrides('c', { wanted: 'running' });
      runtime.records.delete('d');
      runtime.register(recordOf('e', { replyBytes: 4096 }));
    });
    const moved = { starts: ['c', 'e'], stops: ['a', 'd'], restarts: ['b'] };
    assert.deepEqual(impact, { ...moved, unchanged: 0, settings: [] });
    const next = await impactAfter(() => {
      runtime.register(recordOf('e', { replyBytes: 8192 }));
    });
    assert.deepEqual([next.restarts, next.unchanged], [['e'], 3]);
  });

  it('lists the settings blocks that a profile changes, and the change of the log level', async () => {
    const impact = await impactAfter(() => {
      runtime.activate({ services: ['a'], log: { level: 'info' }, forms: { maxForms: 3 } });
    });
    assert.deepEqual(impact, {
      ...{ starts: [], stops: ['b', 'c', 'd'], restarts: [], unchanged: 1 },
      ...{ settings: ['forms', 'log'], level: { from: 'warn', to: 'info' } },
    });
  });
});
