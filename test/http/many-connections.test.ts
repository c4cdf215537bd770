import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Secret } from '../../src/core/secret.js';
import { makeCertificate } from '../support/certificates.js';
import { type HttpTestServer, startHttpTestServer, TOKENS } from '../support/http-server.js';
import { LINUX } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { rawExchange, rawPeer, sendRaw } from '../support/raw-http.js';
import { until } from '../support/until.js';

const STATUS = 'GET /demo/status HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST_STATUS = STATUS.replace('Host', 'Connection: close\r\nHost');
const CALL = `GET /demo/things/a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKENS.admin}\r\n\r\n`;
const OK = /HTTP\/1\.1 200 /;

describeWith(LINUX, 'finding F8: a server with more connections than places', () => {
  let server: HttpTestServer;
  afterEach(async () => {
    await server.close();
  });

  it('serves health checks, new callers and callers with a token while others hold idle connections', async () => {
    server = await startHttpTestServer({ limits: { connections: 40, connectionsPerAddress: null } });
    const caller = await sendRaw(server.port, CALL);
    await caller.until(OK);
    const idle = [];
    for (let count = 0; count < 120; count += 1) {
      const peer = await sendRaw(server.port, STATUS, `127.1.0.${1 + (count % 3)}`);
      await peer.until(OK);
      idle.push(peer);
    }
    assert.match(await rawExchange(server.port, LAST_STATUS), OK);
    caller.send(CALL);
    await caller.until(/200 [^]*200 /);
    for (const peer of [caller, ...idle]) peer.destroy();
  });

  it('serves a health check and a caller with a token while requests of others use all places', async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let unfinished = 0;
    const getStatus = async ({ query }: { readonly query: URLSearchParams }) => {
      if (!query.has('wait')) return { body: {} };
      unfinished += 1;
      await finished;
      return { body: {} };
    };
    server = await startHttpTestServer({
      actions: { getStatus },
      limits: { connections: 40, connectionsPerAddress: 38 },
    });
    const waiting = await Promise.all(Array.from({ length: 38 }, () => rawPeer(server.port, '127.1.0.1')));
    for (const peer of waiting) peer.send(STATUS.replace('status', 'status?wait'));
    await until(() => unfinished === waiting.length);
    const [health, call] = [await rawPeer(server.port), await rawPeer(server.port)];
    health.send(STATUS);
    call.send(CALL);
    for (const peer of [health, call]) {
      const reply = await peer.closed();
      assert.match(reply, OK);
      assert.match(reply, /connection: close/i);
    }
    finish();
    for (const peer of waiting) {
      await peer.until(OK);
      peer.destroy();
    }
  });

  it('knows the callers of TLS connections', async () => {
    const { cert, key } = await makeCertificate({ dns: 'localhost' });
    server = await startHttpTestServer({
      tls: { cert, key: new Secret(key) },
      limits: { connections: 4, connectionsPerAddress: 4 },
    });
    const open = async (): Promise<TLSSocket> => {
      const socket = connectTls({ port: server.port, host: '127.0.0.1', ca: cert, servername: 'localhost' });
      socket.on('error', () => undefined);
      await once(socket, 'secureConnect');
      return socket;
    };
    const send = async (socket: TLSSocket, request: string): Promise<string> => {
      socket.write(request);
      const [reply] = (await once(socket, 'data')) as [Buffer];
      return reply.toString();
    };
    const caller = await open();
    assert.match(await send(caller, CALL), OK);
    const others = [];
    for (let count = 0; count < 8; count += 1) {
      const other = await open();
      assert.match(await send(other, STATUS), OK);
      others.push(other);
    }
    assert.match(await send(caller, CALL), OK);
    for (const socket of [caller, ...others]) socket.destroy();
  });
});
