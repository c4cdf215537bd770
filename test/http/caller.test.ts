import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { watchCaller } from '../../src/http/caller.js';

describe('the watch over a caller', () => {
  it('tells at its end that the connection is gone, though that was not announced yet', () => {
    const socket = new Socket();
    const { signal, release } = watchCaller(new IncomingMessage(socket));
    socket.destroy();
    assert.equal(signal.aborted, false);
    release();
    assert.equal(signal.aborted, true);
  });

  it('tells nothing of a connection that stays', () => {
    const socket = new Socket();
    const { signal, release } = watchCaller(new IncomingMessage(socket));
    release();
    assert.equal(signal.aborted, false);
    assert.equal(socket.listenerCount('close'), 0);
    socket.destroy();
  });
});
