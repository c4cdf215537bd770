import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Problem } from '../../src/core/problem.js';
import { watchClient } from '../../src/http/client-disconnect.js';
import { abortSignalOf } from '../../src/lib/cancel-signal.js';

describe('watchClient', () => {
  it('aborts on release if the connection is already destroyed', () => {
    const socket = new Socket();
    const { signal, release } = watchClient(new IncomingMessage(socket));
    socket.destroy();
    assert.equal(signal.aborted, false);
    release();
    assert.equal(signal.aborted, true);
  });

  it('does not abort while the connection is open', () => {
    const socket = new Socket();
    const { signal, release } = watchClient(new IncomingMessage(socket));
    release();
    assert.equal(signal.aborted, false);
    socket.destroy();
  });

  it('adds one listener to a connection with several requests', () => {
    const socket = new Socket();
    for (let count = 0; count < 20; count += 1) watchClient(new IncomingMessage(socket)).release();
    assert.equal(socket.listenerCount('close'), 1);
    socket.destroy();
  });

  it('calls each listener once, but no removed listener and no listener added during the abort', () => {
    const socket = new Socket();
    const { signal, release } = watchClient(new IncomingMessage(socket));
    const calls: string[] = [];
    const removed = () => calls.push('removed');
    signal.addEventListener('abort', removed);
    signal.addEventListener('abort', () => {
      calls.push('first');
      signal.addEventListener('abort', () => calls.push('late'));
    });
    signal.addEventListener('abort', () => calls.push('second'));
    signal.removeEventListener('abort', removed);
    socket.destroy();
    release();
    release();
    assert.deepEqual(calls, ['first', 'second']);
    assert.throws(() => {
      signal.throwIfAborted();
    }, Problem);
  });

  it('converts to an AbortSignal before and after the abort', () => {
    const socket = new Socket();
    const { signal, release } = watchClient(new IncomingMessage(socket));
    const before = abortSignalOf(signal);
    assert.equal(before.aborted, false);
    socket.destroy();
    release();
    for (const one of [before, abortSignalOf(signal)]) assert.equal(one.reason, signal.reason);
  });
});
