import assert from 'node:assert/strict';
import { openJsonDoor } from './json/endpoint.js';
import { lenientTakes, measureJson } from './json/measure.js';

describe('JSON that parsers disagree about', () => {
  it('H5: is taken or refused as it must be, in the bodies of requests', async () => {
    const door = await openJsonDoor();
    const { holds, figures } = await measureJson(door.takes);
    await door.close();
    assert.ok(holds, JSON.stringify(figures));
  });

  it('is seen to be taken by a lenient reader', async () => {
    const { holds, figures } = await measureJson(lenientTakes);
    assert.equal(holds, false);
    assert.ok((figures['wrong'] as readonly string[]).length > 5);
  });
});
