import assert from 'node:assert/strict';
import { openHttpClient } from '../src/upstream/client.js';
import { endsByItself, openBoundlessClient } from './hostile/boundless-client.js';
import { measureHostile } from './hostile/measure.js';

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
