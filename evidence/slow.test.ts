import assert from 'node:assert/strict';
import { measureSlow } from './slow/measure.js';

const DAY_MS = 86_400_000;

describe('slow clients', function () {
  this.timeout(120_000);

  it('H3: are disconnected, and other clients are served', async () => {
    const limits = { requestTimeoutMs: 400, headersTimeoutMs: 300, keepAliveTimeoutMs: 300 };
    const { holds, figures } = await measureSlow({ limits, attackers: 40, dripMs: 50, patienceMs: 15_000 });
    assert.ok(holds, JSON.stringify(figures));
  });

  it('stay connected when the timeouts are one day (control)', async () => {
    const limits = { requestTimeoutMs: DAY_MS, headersTimeoutMs: DAY_MS, keepAliveTimeoutMs: DAY_MS };
    const { holds, figures } = await measureSlow({ limits, attackers: 8, dripMs: 50, patienceMs: 200 });
    assert.equal(holds, false);
    assert.equal(figures['left'], 8);
  });
});
