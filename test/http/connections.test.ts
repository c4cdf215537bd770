import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { silentLog } from '../../src/core/log.js';
import { ConnectionPlaces } from '../../src/http/connection-places.js';
import { type Connections, markStreaming, trackConnections } from '../../src/http/connections.js';
import { collectGarbage } from '../../src/lib/collect-garbage.js';
import { listenOnLoopback } from '../support/loopback.js';
import { openedByTest } from '../support/opened.js';
import { until } from '../support/until.js';

describe('the count of requests in flight', () => {
  let port: number;
  let connections: Connections;
  let handle: (req: IncomingMessage, res: ServerResponse) => void;
  const opened = openedByTest();
  beforeEach(async () => {
    const server = createServer((req, res) => {
      connections.beginRequest(req, res);
      handle(req, res);
    });
    const limits = { connections: Infinity, connectionsPerAddress: null };
    connections = trackConnections(server, false, new ConnectionPlaces(limits, silentLog));
    ({ port } = await opened(listenOnLoopback(server)));
  });

  const send = () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return socket;
  };

  /** Sends two requests whose replies wait. */
  const sendTwo = async () => {
    const replies: ServerResponse[] = [];
    handle = (_req, res) => void replies.push(res);
    const socket = send();
    send();
    await until(() => replies.length === 2);
    const [first, second] = replies;
    assert.ok(first && second);
    return { socket, first, second };
  };

  it('includes a request until its reply ends', async () => {
    const { first, second } = await sendTwo();
    assert.equal(connections.inFlight(), 2);
    for (const res of [first, second]) res.end();
    await until(() => connections.inFlight() === 0);
  });

  it('keeps no response of an idle connection (fault: each idle connection kept its last call in memory)', async () => {
    let reply: WeakRef<ServerResponse> | undefined;
    handle = (_req, res) => {
      reply = new WeakRef(res);
      res.end();
    };
    const client = send();
    await until(() => reply !== undefined);
    await until(() => {
      collectGarbage('regular');
      return reply?.deref() === undefined;
    });
    assert.equal(client.readableEnded, false);
  });

  it('excludes a request whose caller has left', async () => {
    handle = () => undefined;
    const socket = send();
    await until(() => connections.inFlight() === 1);
    socket.destroy();
    await until(() => connections.inFlight() === 0);
  });

  it('excludes a request whose reply is a stream (bug: a thousand idle streams caused the refusal of all calls)', async () => {
    const { socket, first } = await sendTwo();
    first.flushHeaders();
    markStreaming(first);
    assert.equal(connections.inFlight(), 1);
    socket.destroy();
    await until(() => first.destroyed);
    assert.equal(connections.inFlight(), 1);
  });

  it('excludes a stream once, although it is marked again and after its end', async () => {
    const { first: stream } = await sendTwo();
    markStreaming(stream);
    markStreaming(stream);
    assert.equal(connections.inFlight(), 1);
    stream.end();
    await until(() => stream.closed);
    markStreaming(stream);
    assert.equal(connections.inFlight(), 1);
  });

  it('excludes a request whose tunnel has ended (bug: it was counted forever)', async () => {
    handle = (req, res) => {
      res.detachSocket(req.socket);
    };
    const socket = send();
    await until(() => connections.inFlight() === 1);
    socket.destroy();
    await until(() => connections.inFlight() === 0);
    assert.equal(connections.inFlight(), 0);
  });
});
