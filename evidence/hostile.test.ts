import assert from 'node:assert/strict';
import { openHttpClient } from '../src/upstream/client.js';
import { endsByItself, openBoundlessClient } from './hostile/boundless-client.js';
import { measureDevices } from './hostile/devices.js';
import { measureHostile } from './hostile/measure.js';
import { judgeStops } from './hostile/stops.js';

// The individual behaviors, without time limits, are in `test/upstream/hostile-replies.test.ts`.
describe('hostile replies', () => {
  const limits = { totalMs: 15_000, replyBytes: 65_536, among: endsByItself };

  it('S7: end with the documented error', async () => {
    const { holds, figures } = await measureHostile({ ...limits, openClient: () => openHttpClient({}) });
    assert.ok(holds, JSON.stringify(figures));
  });

  it('are accepted by a client without a size limit (control)', async () => {
    const { holds, figures } = await measureHostile({ ...limits, openClient: openBoundlessClient });
    assert.equal(holds, false);
    assert.equal((figures['wrong'] as readonly string[]).length, 3);
  });
});

describe('stops by hostile replies', () => {
  const samples = [
    [10, 10],
    [110, 59],
    [210, 61],
  ].map(([at = 0, ms = 0]) => ({ kind: 'ready', at, status: 200, ms, ownMs: ms }) as const);
  const baseline = { name: 'baseline', from: 0, to: 100 };
  const quick = { name: 'quick', from: 100, to: 200 };

  it('are compared with the baseline of the same run', () => {
    const slow = { name: 'slow', from: 200, to: 300 };
    assert.equal(judgeStops(samples, baseline, [quick]).holds, true);
    const { holds, figures } = judgeStops(samples, baseline, [quick, slow]);
    assert.equal(holds, false);
    assert.deepEqual(figures['over'], { slow: 61 });
    assert.equal(figures['mostMs'], 60);
  });
});

describe('attacks of a NETCONF device', function () {
  this.timeout(240_000);

  it('end in documented errors, and the next read succeeds', async () => {
    const among = (name: string): boolean => /attributes|endless hello|error output/.test(name);
    const { figures } = await measureDevices({ isLifted: false, among });
    // Stops are judged by the group, without the load of other tests.
    const wrong = (figures['wrong'] as readonly string[]).filter((reason) => !reason.includes('stopped for'));
    assert.deepEqual(wrong, []);
    assert.equal(figures['attacks'], 4);
  });

  it('stop the process for seconds when messages are read in the main thread (control)', async () => {
    const among = (name: string): boolean => name.includes('attributes');
    const { holds, figures } = await measureDevices({ isLifted: true, among });
    assert.equal(holds, false, JSON.stringify(figures));
  });
});
