import assert from 'node:assert/strict';
import { createServer } from 'node:net';

// A suite for the test runner to find fault with; no part of the suite itself.
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
