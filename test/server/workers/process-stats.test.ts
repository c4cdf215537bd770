import assert from 'node:assert/strict';
import { openProcessStats } from '../../../src/server/workers/process-stats.js';
import { until } from '../../support/until.js';

describe('openProcessStats', () => {
  it('reports the event loop delay since the previous read', async () => {
    const stats = openProcessStats();
    try {
      let turn = 0;
      await until(() => {
        blockEventLoop(50);
        turn += 1;
        return turn % 4 === 0 && stats.read().delaySeconds > 0.02;
      });
      assert.equal(stats.read().delaySeconds, 0);
    } finally {
      stats.close();
    }
  });

  it('reports memory in bytes and processor time in seconds', () => {
    const stats = openProcessStats();
    const { memoryBytes, cpuSeconds } = stats.read();
    stats.close();
    assert.ok(memoryBytes > 1e7);
    assert.ok(cpuSeconds > 0 && cpuSeconds < process.uptime() * 64);
  });
});

function blockEventLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
