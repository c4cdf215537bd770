import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { openHttpClient } from '../../src/upstream/client.js';
import { openEgress } from '../../src/upstream/egress-caller.js';
import { parseEgress } from '../../src/upstream/egress-policy.js';
import { limitReadSize } from '../../src/upstream/exchange.js';
import { answer, type HostileUpstream, startHostileUpstream } from '../support/hostile-upstream.js';
import { until } from '../support/until.js';

const PIECE = 4_096;

describe('limitReadSize', () => {
  let server: Server;
  beforeEach(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(Buffer.alloc(100_000, 'x'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
  });
  const open = (): Socket => limitReadSize(connect((server.address() as AddressInfo).port, '127.0.0.1'));

  it('returns all data in pieces of at most 4 KiB', async () => {
    const socket = open();
    const lengths: number[] = [];
    socket.on('readable', () => {
      for (let piece = read(socket); piece; piece = read(socket)) lengths.push(piece.length);
    });
    await once(socket, 'end');
    assert.equal(Math.max(...lengths), PIECE);
    assert.equal(
      lengths.reduce((sum, length) => sum + length, 0),
      100_000,
    );
  });

  it('returns the requested number of bytes', async () => {
    const socket = open();
    await until(() => socket.readableLength > 2 * PIECE);
    assert.equal((socket.read(PIECE + 1) as Buffer).length, PIECE + 1);
    socket.destroy();
  });

  it('returns nothing after the socket is destroyed', async () => {
    const socket = open();
    await until(() => socket.readableLength > 2 * PIECE);
    assert.ok(socket.read());
    socket.destroy();
    assert.equal(socket.read(), null);
  });
});

describe('a reply with 100,000 header lines', () => {
  const read = Reflect.get(Readable.prototype, 'read') as (this: Readable, size?: number) => unknown;
  const lengths: number[] = [];
  let upstream: HostileUpstream;
  beforeEach(async () => {
    upstream = await startHostileUpstream([answer(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(100_000)}\r\n`)]);
    lengths.length = 0;
    Readable.prototype.read = function (size) {
      const piece = read.call(this, size);
      if (Buffer.isBuffer(piece)) lengths.push(piece.length);
      return piece;
    };
  });
  afterEach(async () => {
    Readable.prototype.read = read;
    await upstream.close();
  });

  const toAdapter = async (): Promise<unknown> => {
    const client = openHttpClient({});
    const request = { method: 'GET', url: upstream.origin, headers: {} };
    try {
      return await client.send(request, { totalMs: 15_000, replyBytes: 65_536 });
    } finally {
      await client.close();
    }
  };
  const toAnywhere = async (): Promise<unknown> => {
    const { policy } = parseEgress({ allow: ['127.0.0.1'], deny: [], public: true });
    const limits = { concurrent: 1, concurrentPerSubject: 1, memoryBytes: 1 };
    const egress = openEgress(policy, { ...limits, maxReplyBytes: 65_536, timeoutMs: 15_000 });
    const call = { uri: upstream.origin, method: 'GET', headers: {}, subject: 'ada' } as const;
    return egress.call(call, new AbortController().signal);
  };
  for (const [who, send] of [
    ['an adapter', toAdapter],
    ['a caller', toAnywhere],
  ] as const)
    it(`to ${who} is refused after the piece that exceeds the limit (bug: an error for each line stopped the process)`, async () => {
      await assert.rejects(send(), { code: 'upstream_bad_reply' });
      assert.equal(Math.max(...lengths), PIECE);
      // Only name and value of each six-byte line count towards the 64 KiB. A few pieces are shorter.
      assert.ok(lengths.filter((length) => length === PIECE).length <= (65_536 * 3) / PIECE);
    });
});

function read(socket: Socket): Buffer | null {
  return socket.read() as Buffer | null;
}
