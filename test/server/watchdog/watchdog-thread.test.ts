import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

describe('the thread of the watchdog', () => {
  it('loads the report only when it needs it (bug: each start loaded the inspector and the log)', () => {
    const file = new URL('../../../src/server/watchdog/watchdog-thread.js', import.meta.url);
    const imported = [...readFileSync(file, 'utf8').matchAll(/from ["']([^"']+)["']/g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(imported.sort(), ['./protocol.js', './stuck-loop.js', 'node:worker_threads']);
  });
});
