import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { HttpReply } from '../../src/core/http.js';
import type { ProblemCode } from '../../src/core/problem-codes.js';
import {
  answer,
  answerAndClose,
  answerAndReset,
  drip,
  flood,
  onRequest,
  type Script,
} from '../support/hostile-upstream.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const EMPTY = 'content-length: 0\r\n\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
/** Answers with a body in a content coding. */
const coded = (coding: string, body: Buffer): Script => {
  const head = `${OK}connection: close\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`;
  return answer(Buffer.concat([Buffer.from(head), body]));
};
const zeros = Buffer.alloc(1_000_000);

/** Behaviors by the failure that a call must have. */
const FAILING: Readonly<Partial<Record<ProblemCode, Readonly<Record<string, Script>>>>> = {
  upstream_unreachable: {
    'resets when connected': (socket) => socket.resetAndDestroy(),
    'closes when connected': (socket) => socket.destroy(),
    'half-closes when connected': (socket) => socket.end(),
    'resets on the request': onRequest((socket) => socket.resetAndDestroy()),
    'resets in the head': answerAndReset(`${OK}content-le`),
    'closes in the head': answerAndClose(`${OK}content-le`),
  },
  upstream_timeout: {
    hangs: () => undefined,
    'floods with chunk extensions': flood(`${CHUNKED}5;`, 'x=y;'.repeat(4096)),
    'sends its head slowly': drip(`${OK}x: `, 'y'),
    'sends its body slowly': drip(`${OK}\r\n`, 'y'),
    'never ends its status line': flood('HTTP/1.1 200 ', 'O'.repeat(10_000)),
  },
  upstream_too_large: {
    'never ends its body': flood(`${OK}\r\n`, zeros),
    'declares a gigabyte': flood(`${OK}content-length: 1000000000\r\n\r\n`, zeros),
    'never ends its chunks': flood(CHUNKED, '1\r\na\r\n'.repeat(1000)),
    'sends a gzip bomb': coded('gzip', gzipSync(zeros)),
    'sends a brotli bomb': coded('br', brotliCompressSync(zeros)),
    'sends a deflate bomb': coded('deflate', deflateSync(zeros)),
  },
  upstream_bad_reply: {
    'resets in the body': answerAndReset(`${OK}content-length: 100\r\n\r\nshort`),
    'closes before the declared end': answerAndClose(`${OK}content-length: 9\r\n\r\nshort`),
    'declares a negative length': answer(`${OK}content-length: -1\r\n\r\n`),
    'declares an invalid number as length': answer(`${OK}content-length: 0x5\r\n\r\nhello`),
    'declares two lengths': answer(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
    'declares a length and chunks': answer(CHUNKED.replace('\r\n', '\r\ncontent-length: 5\r\n')),
    'declares a length with a sign': answer(`${OK}content-length: +5\r\n\r\nhello`),
    'declares a list of lengths': answer(`${OK}content-length: 5, 6\r\n\r\nhello`),
    'sends a chunk without a size': answer(`${CHUNKED}zz\r\n`),
    'overflows the size of a chunk': answer(`${CHUNKED}fffffffffffffffff\r\nx`),
    'sends a negative chunk': answer(`${CHUNKED}-5\r\nhello\r\n0\r\n\r\n`),
    'sends more than the chunk holds': answer(`${CHUNKED}2\r\nhello\r\n0\r\n\r\n`),
    'closes before the last chunk': answerAndClose(`${CHUNKED}5\r\nhello\r\n`),
    'resets between chunks': answerAndReset(`${CHUNKED}5\r\nhello\r\n`),
    'never ends its trailers': flood(`${CHUNKED}0\r\n`, 'x: y\r\n'.repeat(1000)),
    'sends a huge header': answer(`${OK}x: ${'a'.repeat(1_000_000)}\r\n\r\n`),
    'sends 100,000 headers': answer(`${OK}${'x: y\r\n'.repeat(100_000)}\r\n`),
    'never ends its headers': flood(OK, 'x: y\r\n'.repeat(1000)),
    'floods with 102': flood('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)),
    'floods with 100': flood('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
    'changes the protocol without a request': answer(
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ),
    'nests content codings': coded('gzip, gzip', gzipSync(gzipSync('hi'))),
    'uses an unknown content coding': coded('zstd', Buffer.from('hi')),
    'breaks its content coding': coded('gzip', gzipSync('hello').subarray(0, 12)),
    'speaks HTTP/0.9': answerAndClose('<html>hello</html>'),
    'speaks HTTP/2': answer('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    'claims HTTP/1.9 in its status line': answer(`HTTP/1.9 200 OK\r\n${EMPTY}`),
    'starts a TLS handshake': answer(Buffer.from('160303004a0200', 'hex')),
    'sends random bytes': answer(Buffer.from('9c1fe00d83b77ac2', 'hex')),
    'sends status 000': answer(`HTTP/1.1 000 Zero\r\n${EMPTY}`),
    'sends status 99999': answer(`HTTP/1.1 99999 Many\r\n${EMPTY}`),
    'sends a status of one digit': answer(`HTTP/1.1 2 OK\r\n${EMPTY}`),
    'sends a blank before its status line': answer(` ${OK}${EMPTY}`),
    'sends a NUL in a header': answer(`${OK}x: a\0b\r\n${EMPTY}`),
    'sends a lone CR in a header': answer(`${OK}x: a\rb\r\n${EMPTY}`),
    'sends a header without a name': answer(`${OK}: a\r\n${EMPTY}`),
    'folds a header name': answer(`${OK} x: a\r\n${EMPTY}`),
  },
};

/** Behavior of a peer, and the failure that a call to the peer must have. */
type HostileFailure = readonly [name: string, script: Script, code: ProblemCode];

/** Peers whose replies must be failures. */
export const FAILURES = Object.entries(FAILING).flatMap(([code, scripts]) =>
  Object.entries(scripts).map(([name, script]): HostileFailure => [name, script, code as ProblemCode]),
);

const HI = 'content-length: 2\r\n\r\nhi';
const poison = `${OK}content-length: 6\r\n\r\npoison`;

/** Peers with unusual replies that are accepted, and the check of the result. */
export const ODD_REPLIES: readonly (readonly [
  name: string,
  script: Script,
  check: (reply: HttpReply) => void,
])[] = [
  [
    'sends a body with 204',
    answer(`HTTP/1.1 204 No Content\r\n\r\npoison ${poison}`),
    ({ status, body }) => {
      assert.deepEqual([status, body.length], [204, 0]);
    },
  ],
  ['sends a second reply without a request', answer(`${OK}${HI}${poison}`), saysHi],
  ['sends one 102 first', answer(`HTTP/1.1 102 Processing\r\n\r\n${OK}connection: close\r\n${HI}`), saysHi],
  [
    'names its headers after members of Object.prototype',
    answer(`${OK}__proto__: a\r\n__proto__: b\r\nconstructor: c\r\nconnection: close\r\n${HI}`),
    ({ headers }) => {
      assert.equal(Object.getPrototypeOf(headers), null);
      assert.deepEqual(Object.getOwnPropertyDescriptor(headers, '__proto__')?.value, ['a', 'b']);
      assert.equal(headers['constructor'], 'c');
    },
  ],
  [
    'sends one header a hundred times, in capitals',
    answerAndClose(`${OK}${'Set-Cookie: a=b\r\n'.repeat(100)}Connection: close\r\n${HI}`),
    ({ headers }) => {
      assert.equal(headers['set-cookie']?.length, 100);
    },
  ],
];

function saysHi({ body }: HttpReply): void {
  assert.equal(body.toString(), 'hi');
}
