import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { Secret } from '../../src/core/secret.js';
import { makeCertificate } from '../support/certificates.js';
import {
  type HttpTestServer,
  type HttpTestServerOptions,
  startHttpTestServer,
} from '../support/http-server.js';
import { LINUX } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { proxyHeaderV1, proxyHeaderV2, rawHeaderV2 } from '../support/proxy-header.js';
import { rawExchange, type RawPeer, rawPeer, sendRaw, statusesIn } from '../support/raw-http.js';
import { until } from '../support/until.js';

const REQUEST = 'GET /demo/status HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST_REQUEST = 'GET /demo/status HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const CLIENT = '203.0.113.9';

function withHeader(header: Buffer, rest: string | Buffer = LAST_REQUEST): Buffer {
  return Buffer.concat([header, Buffer.from(rest as string, 'latin1')]);
}

/** Opens four connections with a request that is answered. */
async function openPeers(port: number, message: string | Buffer, from?: string): Promise<RawPeer[]> {
  const peers: RawPeer[] = [];
  for (let count = 0; count < 4; count += 1) {
    const peer = await sendRaw(port, message, from);
    await peer.until(/200 OK/);
    peers.push(peer);
  }
  return peers;
}

describeWith(LINUX, 'a server that reads PROXY headers', () => {
  let server: HttpTestServer;
  const open = async (options: HttpTestServerOptions = {}): Promise<void> => {
    const proxies = { trustedProxies: ['127.0.0.1'], proxyProtocol: 'any' as const, ...options.proxies };
    const actions = { getStatus: () => ({ body: {} }) };
    server = await startHttpTestServer({ actions, ...options, proxies });
  };
  afterEach(() => server.close());

  const exchange = (...sent: Parameters<typeof withHeader>) => rawExchange(server.port, withHeader(...sent));
  const clients = (): readonly unknown[] =>
    server.lines.filter(({ message }) => message === 'request').map(({ fields }) => fields['clientAddress']);
  const refusals = () =>
    server.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields['reason']);

  it('serves the client that the header names, in both versions, or the proxy itself (LOCAL, UNKNOWN)', async () => {
    await open();
    const local = rawHeaderV2({ versionAndCommand: 0x20, addresses: Buffer.alloc(0) });
    for (const header of [
      ...[proxyHeaderV1(CLIENT), proxyHeaderV2(CLIENT), proxyHeaderV2('2001:db8::7')],
      ...[local, Buffer.from('PROXY UNKNOWN\r\n')],
    ])
      assert.deepEqual(statusesIn(await exchange(header)), [200]);
    assert.deepEqual(clients(), [CLIENT, CLIENT, '2001:db8::7', '127.0.0.1', '127.0.0.1']);
  });

  it('serves a header that arrives byte by byte, and pipelined requests after it', async () => {
    await open();
    const peer = await rawPeer(server.port);
    for (const byte of withHeader(proxyHeaderV2(CLIENT), REQUEST + LAST_REQUEST))
      peer.send(Buffer.from([byte]));
    assert.deepEqual(statusesIn(await peer.closed()), [200, 200]);
    assert.deepEqual(clients(), [CLIENT, CLIENT]);
  });

  it('reads the header before the TLS handshake', async () => {
    const { cert, key } = await makeCertificate({ dns: 'localhost' });
    await open({ tls: { cert, key: new Secret(key) } });
    for (const isAtOnce of [true, false]) {
      const socket = connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(proxyHeaderV2(CLIENT));
      if (!isAtOnce) await new Promise((resolve) => setImmediate(resolve));
      const secure = connectTls({ socket, rejectUnauthorized: false });
      secure.end(LAST_REQUEST);
      assert.deepEqual(statusesIn(await text(secure)), [200]);
    }
    assert.deepEqual(clients(), [CLIENT, CLIENT]);
  });

  it('reads X-Forwarded-For only if the client in the header is a trusted proxy itself', async () => {
    await open({ proxies: { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] } });
    const request = LAST_REQUEST.replace('Host', 'X-Forwarded-For: 198.51.100.3\r\nHost');
    for (const source of [CLIENT, '10.7.7.7']) await exchange(proxyHeaderV2(source), request);
    assert.deepEqual(clients(), [CLIENT, '198.51.100.3']);
  });

  it('takes a header of an untrusted peer for a malformed request', async () => {
    await open();
    const peer = await sendRaw(server.port, withHeader(proxyHeaderV1(CLIENT)), '127.0.0.9');
    assert.deepEqual(statusesIn(await peer.closed()), [400]);
    const plain = await sendRaw(server.port, LAST_REQUEST, '127.0.0.9');
    assert.deepEqual(statusesIn(await plain.closed()), [200]);
    assert.deepEqual(clients(), ['127.0.0.9']);
  });

  it('closes a connection of a trusted proxy without a valid header, or of another version, and says so once', async () => {
    await open({ proxies: { proxyProtocol: 'v1' } });
    assert.equal(await exchange(proxyHeaderV2(CLIENT)), '');
    assert.equal(await rawExchange(server.port, LAST_REQUEST), '');
    assert.equal(await rawExchange(server.port, 'PROXY TCP4 a b 1 2\r\n'), '');
    assert.equal(
      await rawExchange(server.port, proxyHeaderV1(CLIENT).toString().replace('\r\n', ' '.repeat(90))),
      '',
    );
    assert.deepEqual(refusals(), ['the connection does not start with a PROXY header of v1']);
    assert.deepEqual(clients(), []);
  });

  it('closes connections whose header is late', async () => {
    await open({ limits: { headersTimeoutMs: 50 } });
    const silent = await rawPeer(server.port);
    const slow = await sendRaw(server.port, 'PROXY TCP4 ');
    assert.deepEqual([await silent.closed(), await slow.closed()], ['', '']);
    assert.deepEqual(refusals(), ['the PROXY header did not arrive in time']);
  });

  it('survives peers that reset or end their connection before the header', async () => {
    await open();
    for (const part of ['', 'PROXY', '\r\n\r\n\0']) {
      const reset = connect({ port: server.port, host: '127.0.0.1' });
      await once(reset, 'connect');
      reset.write(part);
      reset.resetAndDestroy();
      const ended = await sendRaw(server.port, part);
      ended.end();
      await ended.closed();
    }
    assert.match(await exchange(proxyHeaderV1(CLIENT)), /200 OK/);
  });

  it('gives waiting peers no place that a client needs', async () => {
    await open({ limits: { connections: 20, connectionsPerAddress: 10 } });
    const silent = await Promise.all(Array.from({ length: 60 }, () => rawPeer(server.port)));
    assert.match(await exchange(proxyHeaderV2(CLIENT)), /200 OK/);
    for (const peer of silent) peer.destroy();
  });

  it('limits the connections of each client, not those of the proxy', async () => {
    await open({ limits: { connections: 100, connectionsPerAddress: 2 } });
    const [oldest, , , newest] = await openPeers(server.port, withHeader(proxyHeaderV2(CLIENT), REQUEST));
    const others = await openPeers(server.port, withHeader(proxyHeaderV2('203.0.113.77'), REQUEST));
    await oldest?.closed();
    for (const peer of [newest, others[3]]) {
      peer?.send(REQUEST);
      await peer?.until(/200 OK[^]*200 OK/);
    }
  });

  it('serves a request after an offer of HTTP/2, which takes the connection up again', async () => {
    await open();
    const offer = LAST_REQUEST.replace(
      'Connection: close',
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA',
    );
    assert.match(await exchange(proxyHeaderV2(CLIENT), offer), /200 OK/);
    await until(() => clients().length === 1);
    assert.deepEqual(clients(), [CLIENT]);
  });
});

describeWith(LINUX, 'a server behind a proxy that sends X-Forwarded-For', () => {
  it('applies the limit of connections of an address to clients, not to the trusted proxy', async () => {
    const actions = { getStatus: () => ({ body: {} }) };
    const server = await startHttpTestServer({
      actions,
      limits: { connections: 100, connectionsPerAddress: 2 },
      proxies: { trustedProxies: ['127.0.0.1'] },
    });
    try {
      const [fromProxy] = await openPeers(server.port, REQUEST);
      const [direct] = await openPeers(server.port, REQUEST, '127.0.0.9');
      await direct?.closed();
      fromProxy?.send(REQUEST);
      await fromProxy?.until(/200 OK[^]*200 OK/);
    } finally {
      await server.close();
    }
  });
});
