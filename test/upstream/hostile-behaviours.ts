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
const withLength = (headers: string, body: Buffer) =>
  Buffer.concat([
    Buffer.from(`${OK}connection: close\r\n${headers}content-length: ${body.length}\r\n\r\n`),
    body,
  ]);
const zeros = Buffer.alloc(1_000_000);

/** Behavior of a peer, and the failure that a call to the peer must have. */
export type HostileFailure = readonly [name: string, script: Script, code: ProblemCode];

/** Peers whose replies must be failures. */
export const FAILURES: readonly HostileFailure[] = [
  ['hangs', () => undefined, 'upstream_timeout'],
  ['resets when connected', (socket) => socket.resetAndDestroy(), 'upstream_unreachable'],
  ['closes when connected', (socket) => socket.destroy(), 'upstream_unreachable'],
  ['half-closes when connected', (socket) => socket.end(), 'upstream_unreachable'],
  ['resets on the request', onRequest((socket) => socket.resetAndDestroy()), 'upstream_unreachable'],
  ['resets in the head', answerAndReset(`${OK}content-le`), 'upstream_unreachable'],
  ['closes in the head', answerAndClose(`${OK}content-le`), 'upstream_unreachable'],
  ['resets in the body', answerAndReset(`${OK}content-length: 100\r\n\r\nshort`), 'upstream_bad_reply'],
  [
    'closes before the declared end',
    answerAndClose(`${OK}content-length: 9\r\n\r\nshort`),
    'upstream_bad_reply',
  ],
  ['declares a negative length', answer(`${OK}content-length: -1\r\n\r\n`), 'upstream_bad_reply'],
  [
    'declares an invalid number as length',
    answer(`${OK}content-length: 0x5\r\n\r\nhello`),
    'upstream_bad_reply',
  ],
  [
    'declares two lengths',
    answer(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
    'upstream_bad_reply',
  ],
  [
    'declares a length and chunks',
    answer(`${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    'upstream_bad_reply',
  ],
  [
    'sends a chunk without a size',
    answer(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`),
    'upstream_bad_reply',
  ],
  [
    'overflows the size of a chunk',
    answer(`${OK}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nx`),
    'upstream_bad_reply',
  ],
  [
    'closes before the last chunk',
    answerAndClose(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`),
    'upstream_bad_reply',
  ],
  [
    'floods with chunk extensions',
    flood(`${OK}transfer-encoding: chunked\r\n\r\n5;`, 'x=y;'.repeat(4096)),
    'upstream_timeout',
  ],
  ['sends a huge header', answer(`${OK}x: ${'a'.repeat(1_000_000)}\r\n\r\n`), 'upstream_bad_reply'],
  ['sends 100,000 headers', answer(`${OK}${'x: y\r\n'.repeat(100_000)}\r\n`), 'upstream_bad_reply'],
  ['never ends its headers', flood(OK, 'x: y\r\n'.repeat(1000)), 'upstream_bad_reply'],
  ['never ends its body', flood(`${OK}\r\n`, zeros), 'upstream_too_large'],
  ['declares a gigabyte', flood(`${OK}content-length: 1000000000\r\n\r\n`, zeros), 'upstream_too_large'],
  [
    'never ends its chunks',
    flood(`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'.repeat(1000)),
    'upstream_too_large',
  ],
  ['sends its head slowly', drip(`${OK}x: `, 'y'), 'upstream_timeout'],
  ['sends its body slowly', drip(`${OK}\r\n`, 'y'), 'upstream_timeout'],
  ['floods with 102', flood('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)), 'upstream_bad_reply'],
  ['floods with 100', flood('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)), 'upstream_bad_reply'],
  [
    'changes the protocol without a request',
    answer('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    'upstream_bad_reply',
  ],
  [
    'sends a gzip bomb',
    answer(withLength('content-encoding: gzip\r\n', gzipSync(zeros))),
    'upstream_too_large',
  ],
  [
    'sends a brotli bomb',
    answer(withLength('content-encoding: br\r\n', brotliCompressSync(zeros))),
    'upstream_too_large',
  ],
  [
    'nests content codings',
    answer(withLength('content-encoding: gzip, gzip\r\n', gzipSync(gzipSync('hi')))),
    'upstream_bad_reply',
  ],
  [
    'uses an unknown content coding',
    answer(withLength('content-encoding: zstd\r\n', Buffer.from('hi'))),
    'upstream_bad_reply',
  ],
  [
    'breaks its content coding',
    answer(withLength('content-encoding: gzip\r\n', gzipSync('hello').subarray(0, 12))),
    'upstream_bad_reply',
  ],
  ['speaks HTTP/0.9', answerAndClose('<html>hello</html>'), 'upstream_bad_reply'],
  ['speaks HTTP/2', answer('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 'upstream_bad_reply'],
  ['sends random bytes', answer(Buffer.from('9c1fe00d83b77ac2', 'hex')), 'upstream_bad_reply'],
  ['sends status 000', answer('HTTP/1.1 000 Zero\r\ncontent-length: 0\r\n\r\n'), 'upstream_bad_reply'],
  ['sends status 99999', answer('HTTP/1.1 99999 Many\r\ncontent-length: 0\r\n\r\n'), 'upstream_bad_reply'],
  ['sends a NUL in a header', answer(`${OK}x: a\0b\r\ncontent-length: 0\r\n\r\n`), 'upstream_bad_reply'],
  ['folds a header name', answer(`${OK} x: a\r\ncontent-length: 0\r\n\r\n`), 'upstream_bad_reply'],
  [
    'sends a deflate bomb',
    answer(withLength('content-encoding: deflate\r\n', deflateSync(zeros))),
    'upstream_too_large',
  ],
  ['declares a length with a sign', answer(`${OK}content-length: +5\r\n\r\nhello`), 'upstream_bad_reply'],
  ['declares a list of lengths', answer(`${OK}content-length: 5, 6\r\n\r\nhello`), 'upstream_bad_reply'],
  ['sends a header without a name', answer(`${OK}: a\r\ncontent-length: 0\r\n\r\n`), 'upstream_bad_reply'],
  ['sends a lone CR in a header', answer(`${OK}x: a\rb\r\ncontent-length: 0\r\n\r\n`), 'upstream_bad_reply'],
  [
    'claims HTTP/1.9 in its status line',
    answer('HTTP/1.9 200 OK\r\ncontent-length: 0\r\n\r\n'),
    'upstream_bad_reply',
  ],
  [
    'sends a negative chunk',
    answer(`${OK}transfer-encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n`),
    'upstream_bad_reply',
  ],
  [
    'sends more than the chunk holds',
    answer(`${OK}transfer-encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n`),
    'upstream_bad_reply',
  ],
  [
    'resets between chunks',
    answerAndReset(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`),
    'upstream_bad_reply',
  ],
  [
    'never ends its trailers',
    flood(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x: y\r\n'.repeat(1000)),
    'upstream_bad_reply',
  ],
  ['never ends its status line', flood('HTTP/1.1 200 ', 'O'.repeat(10_000)), 'upstream_timeout'],
  ['sends a status of one digit', answer('HTTP/1.1 2 OK\r\ncontent-length: 0\r\n\r\n'), 'upstream_bad_reply'],
  [
    'sends a blank before its status line',
    answer(' HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    'upstream_bad_reply',
  ],
  ['starts a TLS handshake', answer(Buffer.from('160303004a0200', 'hex')), 'upstream_bad_reply'],
];

const poison = `${OK}content-length: 6\r\n\r\npoison`;

/** Peers with unusual replies that are accepted, and the expected result. */
export const ODD_REPLIES: readonly (readonly [
  name: string,
  script: Script,
  check: (reply: HttpReply) => void,
])[] = [
  [
    'sends a body with 204',
    answer(`HTTP/1.1 204 No Content\r\n\r\npoison ${poison}`),
    (reply) => {
      assert.equal(reply.status, 204);
      assert.equal(reply.body.length, 0);
    },
  ],
  [
    'sends a second reply without a request',
    answer(`${OK}content-length: 2\r\n\r\nhi${poison}`),
    (reply) => {
      assert.equal(reply.body.toString(), 'hi');
    },
  ],
  [
    'sends one 102 first',
    answer(`HTTP/1.1 102 Processing\r\n\r\n${OK}content-length: 2\r\nconnection: close\r\n\r\nhi`),
    (reply) => {
      assert.equal(reply.body.toString(), 'hi');
    },
  ],
  [
    'names its headers after members of Object.prototype',
    answer(
      `${OK}__proto__: a\r\n__proto__: b\r\nconstructor: c\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi`,
    ),
    ({ headers }) => {
      assert.equal(Object.getPrototypeOf(headers), null);
      assert.deepEqual(Object.getOwnPropertyDescriptor(headers, '__proto__')?.value, ['a', 'b']);
      assert.equal(headers['constructor'], 'c');
    },
  ],
  [
    'sends one header a hundred times, in capitals',
    answerAndClose(
      `${OK}${'Set-Cookie: a=b\r\n'.repeat(100)}Connection: close\r\nContent-Length: 2\r\n\r\nhi`,
    ),
    ({ headers }) => {
      assert.equal(headers['set-cookie']?.length, 100);
    },
  ],
];
