import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { InterimReplies, MAX_INFORMATIONAL_BYTES } from '../../src/upstream/interim-replies.js';
import { problem } from '../support/failing.js';
import { onRequest, startHostileUpstream } from '../support/hostile-upstream.js';
import { openedByTest } from '../support/opened.js';
import { EGRESS, PRODUCT_CLIENTS, type ProductClient, STREAMS } from './product-clients.js';

const INTERIM: Readonly<Record<string, string>> = {
  100: 'HTTP/1.1 100 Continue\r\n\r\n',
  102: 'HTTP/1.1 102 Processing\r\n\r\n',
  103: 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n',
};
const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"a":1}';
const MANY = 101;
const FLOOD = /more than 100 informational/;
const TOO_LARGE = /more than 65536 bytes of informational/;

describe('interim replies', () => {
  /** Returns the bytes that remain of a text that arrives in pieces. */
  function remainder(pieces: readonly string[]): string {
    const interim = new InterimReplies();
    interim.begin();
    return pieces.map((piece) => interim.remove(Buffer.from(piece, 'latin1')).toString('latin1')).join('');
  }

  for (const [status, reply] of Object.entries(INTERIM))
    for (const count of [0, 1, 2, 100])
      it(`are removed, divided at every byte: ${count} of ${status}`, () => {
        const text = `${reply.repeat(count)}${FINAL}`;
        // Many replies repeat the same places.
        const last = Math.min(text.length, 2 * reply.length + FINAL.length);
        for (let at = 0; at <= last; at += 1)
          assert.equal(remainder([text.slice(0, at), text.slice(at)]), FINAL, `divided at ${at}`);
        assert.equal(remainder(text.split('')), FINAL, 'byte by byte');
      });

  const HEAD = 'HTTP/1.1 200 OK\r\n';
  for (const [name, interim] of [
    ['line ends before a status line', '\r\nHTTP/1.1 100 Continue\r\n\r\n\r\n'],
    ['line feeds alone', 'HTTP/1.1 100 Continue\n\n'],
    ['no reason phrase', 'HTTP/1.1 100\r\n\r\n'],
    ['fields of a connection', 'HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n'],
    ['another interim status', 'HTTP/1.1 199 X\r\n\r\n'],
  ] as const)
    it(`are removed with ${name}`, () => {
      assert.equal(remainder([interim + HEAD]), HEAD);
      assert.equal(remainder((interim + HEAD).split('')), HEAD);
    });

  for (const text of [
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'HTTP/1.1 1000 X\r\n\r\n',
    'HTTP/1.1 10',
    'HTTP/2 100 X\r\n\r\n',
    'HTTP/1.1  100 X\r\n\r\n',
    '1111111111111111',
    FINAL,
  ])
    it(`are nothing else: ${JSON.stringify(text.slice(0, 20))}`, () => {
      // The start of a status line is held until it is complete.
      const expected = text === 'HTTP/1.1 10' ? '' : text;
      assert.equal(remainder([text]), expected);
      assert.equal(remainder(text.split('')), expected);
    });

  it('are not looked for in the content of a reply', () => {
    const text = `HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n${INTERIM['100']}`;
    assert.equal(remainder([text]), text);
    assert.equal(remainder(text.split('')), text);
  });

  it('are refused if they are too many or too large', () => {
    const many = (INTERIM['100'] ?? '').repeat(MANY);
    assert.throws(() => remainder([many]), problem('upstream_bad_reply', FLOOD));
    const large = `HTTP/1.1 103 Early Hints\r\nx: ${'y'.repeat(MAX_INFORMATIONAL_BYTES)}`;
    assert.throws(() => remainder([large]), problem('upstream_bad_reply', TOO_LARGE));
  });
});

describe('unasked interim replies (bug: a 100 broke every call, although the change was made)', () => {
  const opened = openedByTest();
  /** Opens a client of the product for a server that answers each request head so. */
  async function open(client: ProductClient, act: Parameters<typeof onRequest>[0]) {
    const upstream = await opened(startHostileUpstream([onRequest(act)]));
    return { upstream, client: await opened(client.open(upstream.origin)) };
  }

  /** Writes pieces, each after the previous one has left. */
  function writeInTurn(socket: Socket, [piece, ...others]: readonly string[]): void {
    if (piece === undefined) return;
    socket.write(piece, 'latin1', () => {
      setImmediate(() => {
        writeInTurn(socket, others);
      });
    });
  }

  for (const client of PRODUCT_CLIENTS)
    for (const [status, reply] of Object.entries(INTERIM)) {
      it(`are skipped, divided at every byte: ${status}, ${client.name}`, async () => {
        // Every number of replies is divided in the tests of the parser above.
        const texts = [1, 2].map((count) => `${reply.repeat(count)}${FINAL}`);
        const divided = texts.flatMap((text) =>
          Array.from({ length: text.length }, (_, at) => [text.slice(0, at), text.slice(at)]),
        );
        const cases = [...divided, ...texts.map((text) => text.split(''))];
        let next = 0;
        const { upstream, client: one } = await open(client, (socket) => {
          socket.setNoDelay(true);
          writeInTurn(socket, cases[next] ?? []);
        });
        for (next = 0; next < cases.length; next += 1)
          assert.deepEqual(await one.send(next % 2 === 0 ? 'POST' : 'GET'), { status: 200, body: '{"a":1}' });
        // The connection is used again.
        if (client !== EGRESS) assert.ok(upstream.connections() < 10);
      });

      it(`are refused if they are more than 100: ${status}, ${client.name}`, async () => {
        const { client: one } = await open(client, (socket, head) =>
          socket.write(`${reply.repeat(head.includes(' /many ') ? MANY : 100)}${FINAL}`),
        );
        await assert.rejects(one.send('POST', '/many'), problem('upstream_bad_reply', FLOOD));
        assert.deepEqual(await one.send('POST', '/few'), { status: 200, body: '{"a":1}' });
      });
    }

  for (const client of PRODUCT_CLIENTS)
    it(`are refused if they are too large, ${client.name}`, async () => {
      const large = `HTTP/1.1 103 Early Hints\r\nx: ${'y'.repeat(15_000)}\r\n\r\n`;
      const { client: one } = await open(client, (socket) => socket.write(large.repeat(MANY) + FINAL));
      // The parser of streams limits the head of each, and the number of all.
      const expected = client === STREAMS ? FLOOD : TOO_LARGE;
      await assert.rejects(one.send('POST'), problem('upstream_bad_reply', expected));
    });
});
