import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { leftOpen, openResources, waitUntilClosed } from './open-resources.js';

describe('open resources', () => {
  it('are counted by kind: a server, a timer', async () => {
    // From here on, mocha has a timer for this test.
    await Promise.resolve();
    const before = openResources();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const timer = setTimeout(() => undefined, 60_000);
    assert.deepEqual([...leftOpen(before)].sort(), ['1 TCPServerWrap', '1 Timeout']);
    clearTimeout(timer);
    server.close();
    assert.deepEqual(await waitUntilClosed(before), []);
  });

  it('exclude a timer that does not keep the process alive', () => {
    const before = openResources();
    const timer = setTimeout(() => undefined, 60_000).unref();
    assert.deepEqual(leftOpen(before), []);
    clearTimeout(timer);
  });
});
