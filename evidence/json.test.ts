import assert from 'node:assert/strict';
import { openJsonEndpoint } from './json/endpoint.js';
import { lenientTakes, measureJson } from './json/measure.js';

describe('ambiguous JSON in request bodies', () => {
  it('H5: is accepted or refused as specified', async () => {
    const endpoint = await openJsonEndpoint();
    const { holds, figures } = await measureJson(endpoint.takes);
    await endpoint.close();
    assert.ok(holds, JSON.stringify(figures));
  });

  it('is accepted by a lenient parser (control)', async () => {
    const { holds, figures } = await measureJson(lenientTakes);
    assert.equal(holds, false);
    assert.ok((figures['wrong'] as readonly string[]).length > 5);
  });
});
