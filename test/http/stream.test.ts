import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Problem } from '../../src/core/problem.js';
import { startHttpTestServer, type HttpTestServer, TOKENS } from '../support/http-server.js';
import { until } from '../support/until.js';

const headers = { authorization: `Bearer ${TOKENS.admin}` };

describe('a streamed JSON reply', () => {
  let testServer: HttpTestServer;
  let pieces: () => AsyncGenerator<string | Uint8Array>;
  const ended: string[] = [];
  /** Calls of the reply's `onEnd`. */
  let freed = 0;

  before(async () => {
    testServer = await startHttpTestServer({
      actions: { getThing: () => ({ body: { jsonPieces: pieces() }, onEnd: () => (freed += 1) }) },
    });
  });

  after(() => testServer.close());

  async function ask(method = 'GET'): Promise<IncomingMessage> {
    const request = get(`${testServer.url}/demo/things/a`, { method, headers });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  }

  /** Yields pieces of 100 kB without end; records when it is ended. */
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield Promise.resolve('x'.repeat(100_000));
    } finally {
      ended.push('ended');
    }
  }

  it('is sent completely, in chunks', async () => {
    pieces = async function* () {
      for (let at = 0; at < 3; at += 1) yield Promise.resolve(`${at},`.repeat(50_000));
    };
    const answer = await ask();
    assert.equal(answer.headers['transfer-encoding'], 'chunked');
    assert.equal((await text(answer)).length, 300_000);
  });

  it('sends bytes between texts in their order', async () => {
    pieces = async function* () {
      yield '["a",';
      yield await Promise.resolve(Buffer.from('"é"'));
      yield ',"b"]';
    };
    assert.equal(await text(await ask()), '["a","é","b"]');
  });

  it('finding F2: frees what it holds once, after its last piece, its failure, or the end of its caller', async () => {
    let atLastPiece = -1;
    freed = 0;
    pieces = async function* () {
      yield Promise.resolve('1');
      atLastPiece = freed;
    };
    await text(await ask());
    await until(() => freed === 1);
    assert.equal(atLastPiece, 0);
    pieces = async function* () {
      yield await Promise.reject<string>(new Problem('store_unavailable', 'away'));
    };
    await text(await ask());
    await until(() => freed === 2);
    pieces = endless;
    (await ask()).on('error', () => undefined).destroy();
    await until(() => freed === 3);
    ended.length = 0;
  });

  it('is an ordinary failure when it fails before its first piece', async () => {
    pieces = async function* () {
      yield await Promise.reject<string>(new Problem('store_unavailable', 'away'));
    };
    const answer = await ask();
    assert.equal(answer.statusCode, 503);
    assert.match(await text(answer), /"code":"store_unavailable"/);
  });

  it('breaks off when it fails after its first piece', async () => {
    pieces = async function* () {
      yield 'x'.repeat(100_000);
      yield await Promise.reject<string>(new Error('gone'));
    };
    await assert.rejects(text(await ask()), /aborted/);
    await until(() =>
      testServer.lines.some(
        ({ message }) => message === 'response failed after its head; closing the connection',
      ),
    );
  });

  it('resets the connection of an HTTP/1.0 client when it breaks off (bug: the part looked complete)', async () => {
    let received = '';
    pieces = async function* () {
      yield 'x'.repeat(100_000);
      await until(() => received.endsWith('x'.repeat(100_000)));
      yield await Promise.reject<string>(new Error('gone'));
    };
    const socket = connect(testServer.port, '127.0.0.1');
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
    });
    socket.write(`GET /demo/things/a HTTP/1.0\r\nHost: a\r\nAuthorization: ${headers.authorization}\r\n\r\n`);
    await assert.rejects(once(socket, 'end'), { code: 'ECONNRESET' });
  });

  it('waits for a slow reader, and ends its source when the caller leaves', async () => {
    let made = 0;
    pieces = async function* () {
      for await (const piece of endless()) {
        made += 1;
        yield piece;
      }
    };
    const answer = await ask();
    await once(answer, 'readable');
    assert.ok(made < 1000, 'it was read to no end');
    answer.destroy();
    await until(() => ended.length === 1);
  });

  it('ends its source after the first piece for HEAD', async () => {
    pieces = endless;
    const answer = await ask('HEAD');
    assert.equal(answer.statusCode, 200);
    await until(() => ended.length === 2);
  });
});
