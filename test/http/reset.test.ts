import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startHttpTestServer, type HttpTestServer } from '../support/http-server.js';
import { rawExchange, statusesIn } from '../support/raw-http.js';

describe('a connection that the peer resets', () => {
  let testServer: HttpTestServer;
  before(async () => {
    testServer = await startHttpTestServer();
  });
  after(() => testServer.close());

  // An unhandled error event would end the process, including this test.
  it('after CONNECT does not end the process (bug: it ended the process)', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const socket = connect(testServer.port, '127.0.0.1');
      socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(socket, 'data');
      await once(socket.resetAndDestroy(), 'close');
    }
    const reply = await fetch(`${testServer.url}/nowhere`);
    assert.equal(reply.status, 404);
  });

  it('receives at most sixteen replies to pipelined requests', async () => {
    const requests = 'GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500);
    assert.deepEqual(statusesIn(await rawExchange(testServer.port, requests)), Array(16).fill(404));
  });
});
