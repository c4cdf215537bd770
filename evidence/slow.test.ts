import assert from 'node:assert/strict';
import { measureSlow } from './slow/measure.js';

const DAY_MS = 86_400_000;

describe('clients that send a byte now and then', function () {
  this.timeout(120_000);

  it('H3: are let go of, and nobody else fails', async () => {
    const limits = { requestTimeoutMs: 400, headersTimeoutMs: 300, keepAliveTimeoutMs: 300 };
    const { holds, figures } = await measureSlow({ limits, attackers: 40, dripMs: 50, patienceMs: 15_000 });
    assert.ok(holds, JSON.stringify(figures));
  });

  it('are seen to stay where the server has all the time in the world', async () => {
    const limits = { requestTimeoutMs: DAY_MS, headersTimeoutMs: DAY_MS, keepAliveTimeoutMs: DAY_MS };
    const { holds, figures } = await measureSlow({ limits, attackers: 8, dripMs: 50, patienceMs: 200 });
    assert.equal(holds, false);
    assert.equal(figures['left'], 8);
  });
});
