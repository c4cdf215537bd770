import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { abortSignalOf } from '../../src/core/cancel-signal.js';
import { Problem } from '../../src/core/problem.js';
import { watchClient } from '../../src/http/client-disconnect.js';

describe('the watch over a caller', () => {
  it('tells at its end that the connection is gone, though that was not announced yet', () => {
    const socket = new Socket();
    const { signal, release } = watchClient(new IncomingMessage(socket));
    socket.destroy();
    assert.equal(signal.aborted, false);
    release();
    assert.equal(signal.aborted, true);
  });

  it('tells nothing of a connection that stays', () => {
    const socket = new Socket();
    const { signal, release } = watchClient(new IncomingMessage(socket));
    release();
    assert.equal(signal.aborted, false);
    assert.equal(socket.listenerCount('close'), 0);
    socket.destroy();
  });

  it('calls each listener once, none that was taken back, and the others when one of them adds more', () => {
    const socket = new Socket();
    const { signal, release } = watchClient(new IncomingMessage(socket));
    const heard: string[] = [];
    const removed = () => heard.push('removed');
    signal.addEventListener('abort', removed);
    signal.addEventListener('abort', () => {
      heard.push('first');
      signal.addEventListener('abort', () => heard.push('late'));
    });
    signal.addEventListener('abort', () => heard.push('second'));
    signal.removeEventListener('abort', removed);
    socket.destroy();
    release();
    release();
    assert.deepEqual(heard, ['first', 'second']);
    assert.throws(() => {
      signal.throwIfAborted();
    }, Problem);
  });

  it('is given as an AbortSignal to what takes those alone, before and after it fired', () => {
    const socket = new Socket();
    const { signal, release } = watchClient(new IncomingMessage(socket));
    const before = abortSignalOf(signal);
    assert.equal(before.aborted, false);
    socket.destroy();
    release();
    for (const one of [before, abortSignalOf(signal)]) assert.equal(one.reason, signal.reason);
  });
});
