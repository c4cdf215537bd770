import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { startHttpTestServer, type HttpTestServer } from '../support/http-server.js';

describe('a connection that the peer resets', () => {
  let testServer: HttpTestServer;
  before(async () => {
    testServer = await startHttpTestServer();
  });
  after(() => testServer.close());

  // An unhandled error event would end the process, including this test.
  it('after CONNECT does not end the process (bug: it ended the process)', async () => {
    const { hostname, port } = new URL(testServer.url);
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
        });
        socket.once('data', () => socket.resetAndDestroy());
        socket.once('close', () => {
          resolve();
        });
      });
    }
    const reply = await fetch(`${testServer.url}/nowhere`);
    assert.equal(reply.status, 404);
  });

  it('receives at most sixteen replies to pipelined requests', async () => {
    const { hostname, port } = new URL(testServer.url);
    const received = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), hostname, () => {
        socket.write('GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500));
      });
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.once('close', () => {
        resolve(text);
      });
      socket.once('error', () => undefined);
    });
    assert.equal(received.match(/HTTP\/1\.1 404/g)?.length, 16);
  });
});
