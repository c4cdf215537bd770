import assert from 'node:assert/strict';
import { createServer } from 'node:net';

// A suite with failures for the test of the test runner; it is not part of the real suite.
describe('a suite', () => {
  it('passes', () => undefined);

  it('fails', () => {
    assert.deepEqual({ vlan: 120 }, { vlan: 121 });
  });

  it('skips itself', function () {
    this.skip();
  });

  it('leaves a server open', () => {
    createServer().listen(0, '127.0.0.1');
  });
});
