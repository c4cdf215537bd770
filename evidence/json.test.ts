import assert from 'node:assert/strict';
import { openJsonDoor } from './json/endpoint.js';
import { lenientTakes, measureJson } from './json/measure.js';

describe('ambiguous JSON in request bodies', () => {
  it('H5: is accepted or refused as specified', async () => {
    const door = await openJsonDoor();
    const { holds, figures } = await measureJson(door.takes);
    await door.close();
    assert.ok(holds, JSON.stringify(figures));
  });

  it('is accepted by a lenient parser (control)', async () => {
    const { holds, figures } = await measureJson(lenientTakes);
    assert.equal(holds, false);
    assert.ok((figures['wrong'] as readonly string[]).length > 5);
  });
});
