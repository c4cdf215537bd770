import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { MessageReader } from '../../../plugins/netconf/message-reader.js';
import { Problem } from '../../../src/core/problem.js';

describe('the reader of the messages of a session', () => {
  it('keeps nothing of what a server sends after the end', () => {
    let held = 0;
    const resize = (bytes: number): void => {
      held = bytes;
    };
    const reader = new MessageReader({
      read: () => Promise.resolve({ kind: 'other' }),
      memory: {
        open: () => ({ resize }),
        release: () => {
          resize(0);
        },
      },
      maxBytes: 1_000_000,
      stream: new PassThrough(),
      context: () => ({ calls: new Map(), model: undefined, wantsEvents: false }),
      onMessage: () => undefined,
      onFailure: (failure) => {
        throw failure;
      },
    });
    reader.push(Buffer.alloc(8192, 'a'));
    assert.notEqual(held, 0);
    reader.close();
    // What is counted is kept: this limit would fail.
    reader.limitReceived(65_536, new Problem('upstream_too_large', 'too much'));
    for (let sent = 0; sent < 100; sent += 1) reader.push(Buffer.alloc(65_536, 'a'));
    assert.equal(held, 0);
  });
});
