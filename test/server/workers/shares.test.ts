import assert from 'node:assert/strict';
import { shareOfAdapter } from '../../../src/server/workers/shares.js';
import { adapterSettings } from '../../support/adapter-settings.js';

describe('shares of processes', () => {
  it('of an adapter never exceed its limits together', () => {
    const settings = adapterSettings({
      baseUrl: 'http://127.0.0.1:1',
      queue: { concurrent: 10, waiting: 7 },
    });
    const { queue } = shareOfAdapter(settings, 3);
    assert.deepEqual([queue.concurrent, queue.waiting], [3, 2]);
  });

  it('let each process send a call to an adapter with fewer places than processes', () => {
    const settings = adapterSettings({ baseUrl: 'http://127.0.0.1:1', queue: { concurrent: 1, waiting: 0 } });
    assert.equal(shareOfAdapter(settings, 4).queue.concurrent, 1);
  });
});
