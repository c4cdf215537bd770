import assert from 'node:assert/strict';
import { openProcessStats } from '../../../src/server/cluster/worker-stats.js';
import { until } from '../../support/until.js';

describe('openProcessStats', () => {
  it('reports the event loop delay since the previous read', async () => {
    const vitals = openProcessStats();
    try {
      let turn = 0;
      await until(() => {
        keepWaiting(50);
        turn += 1;
        return turn % 4 === 0 && vitals.read().delaySeconds > 0.02;
      });
      assert.equal(vitals.read().delaySeconds, 0);
    } finally {
      vitals.close();
    }
  });

  it('reports memory in bytes and processor time in seconds', () => {
    const vitals = openProcessStats();
    const { memoryBytes, cpuSeconds } = vitals.read();
    vitals.close();
    assert.ok(memoryBytes > 1e7);
    assert.ok(cpuSeconds > 0 && cpuSeconds < process.uptime() * 64);
  });
});

function keepWaiting(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
