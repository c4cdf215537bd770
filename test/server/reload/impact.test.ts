import assert from 'node:assert/strict';
import { type Impact, impactOf } from '../../../src/server/reload/impact.js';
import { MAIN, openRuntime, recordOf, type TestRuntime } from '../../support/adapter-runtime.js';

describe('impactOf', () => {
  let house: TestRuntime;
  beforeEach(async () => {
    house = await openRuntime({
      main: `${MAIN}log: { level: warn }\n`,
      records: ['a', 'b', 'c', 'd'].map((name) => recordOf(name)),
    });
  });
  afterEach(() => house.close());

  /** What was foretold of a change, once it is live; whoever was made anew is another instance. */
  const after = async (change: () => void): Promise<Impact> => {
    const before = house.current.current();
    change();
    assert.deepEqual(await house.applyRecords(), []);
    const now = house.current.current();
    const impact = impactOf(before.desired, now.desired);
    const changed = [...now.adapters].filter(([id, one]) => before.adapters.get(id) !== one);
    const foretold = [...impact.starts, ...impact.restarts, ...impact.stops].filter((id) =>
      now.adapters.has(id),
    );
    assert.deepEqual(changed.map(([id]) => id).sort(), foretold.sort());
    return impact;
  };

  it('returns an empty impact if a change rebuilds nothing', async () => {
    const none = { starts: [], stops: [], restarts: [], unchanged: 4, settings: [] };
    assert.deepEqual(await after(() => undefined), none);
    assert.deepEqual(
      await after(() => {
        house.setOverrides('a', { levels: { console: 'debug' } });
      }),
      none,
    );
  });

  it('lists the adapters that the reload then starts, stops and restarts', async () => {
    house.setOverrides('c', { wanted: 'stopped' });
    await house.applyRecords();
    const impact = await after(() => {
      house.setOverrides('a', { wanted: 'stopped' });
      house.setOverrides('b', { restarts: 1 });
      house.setOverrides('c', { wanted: 'running' });
      house.records.delete('d');
      house.register(recordOf('e', { replyBytes: 4096 }));
    });
    assert.deepEqual(impact, {
      starts: ['c', 'e'],
      stops: ['a', 'd'],
      restarts: ['b'],
      unchanged: 0,
      settings: [],
    });
    const next = await after(() => {
      house.register(recordOf('e', { replyBytes: 8192 }));
    });
    assert.deepEqual([next.restarts, next.unchanged], [['e'], 3]);
  });

  it('lists the settings blocks that a profile changes, and the change of the log level', async () => {
    const impact = await after(() => {
      house.activate({ services: ['a'], log: { level: 'info' }, forms: { maxForms: 3 } });
    });
    assert.deepEqual(impact, {
      starts: [],
      stops: ['b', 'c', 'd'],
      restarts: [],
      unchanged: 1,
      settings: ['forms', 'log'],
      level: { from: 'warn', to: 'info' },
    });
  });
});
