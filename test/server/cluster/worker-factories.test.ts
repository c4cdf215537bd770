import assert from 'node:assert/strict';
import {
  adapterStartsOf,
  mayTarget,
  shareOf,
  undividedAdapters,
} from '../../../src/server/cluster/worker-factories.js';
import { adapterSettings } from '../../support/adapter-settings.js';

describe('the division of adapter queues among processes', () => {
  const settings = (concurrent: number, waiting = 10) =>
    adapterSettings({ baseUrl: 'http://one.test', queue: { concurrent, waiting, waitMs: 1 } });

  it('never exceeds the configured limits in total', () => {
    for (const [concurrent, processes] of [
      [64, 3],
      [3, 3],
      [17, 9],
    ] as const) {
      const { queue } = shareOf(settings(concurrent), processes);
      assert.ok(queue.concurrent >= 1);
      assert.ok(queue.concurrent * processes <= concurrent);
      assert.ok(queue.waiting * processes <= 10);
    }
  });

  it('leaves a limit below the number of processes undivided: one process alone serves such an adapter', () => {
    assert.equal(shareOf(settings(2), 3).queue.concurrent, 2);
    const written = new Map(
      [2, 3].map((concurrent) => [`a${concurrent}`, { queue: { concurrent } }] as const),
    );
    assert.deepEqual(undividedAdapters({ written }, 3), ['a2']);
  });

  it('recognizes the target adapter in every spelling of a URL', () => {
    for (const url of ['/x/a2', '/x/a2?q', '/proxy/a2/data', '/proxy/%61%32/data'])
      assert.ok(mayTarget(url, ['a2']));
    assert.ok(!mayTarget('/x/a3', ['a2']));
    assert.ok(!mayTarget('/x/%61', []));
  });
});

describe('the division of adapter starts among processes', () => {
  it('allows one start in each process at least', () => {
    assert.equal(adapterStartsOf({ adapterStarts: 4 }, 1), 4);
    assert.equal(adapterStartsOf({ adapterStarts: 4 }, 2), 2);
    assert.equal(adapterStartsOf({ adapterStarts: 1 }, 3), 1);
    assert.ok(adapterStartsOf({ adapterStarts: 'auto' }, 1) >= 1);
  });
});
