import assert from 'node:assert/strict';
import { ReplyReader, type WireReply } from './reply-reader.js';

function read(chunks: readonly string[], keeps = true): readonly WireReply[] {
  const replies: WireReply[] = [];
  const reader = new ReplyReader((reply) => replies.push(reply));
  reader.keeps = keeps;
  for (const chunk of chunks) reader.take(Buffer.from(chunk));
  return replies;
}

const PLAIN = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED = 'HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n';

describe('ReplyReader', () => {
  it('reads a reply with Content-Length that is split at any byte', () => {
    for (let at = 1; at < PLAIN.length; at += 1) {
      const [reply, ...more] = read([PLAIN.slice(0, at), PLAIN.slice(at)]);
      assert.deepEqual([reply?.status, reply?.body?.toString(), more.length], [200, 'hello', 0]);
    }
  });

  it('reads a chunked reply that is split at any byte', () => {
    for (let at = 1; at < CHUNKED.length; at += 1) {
      const [reply, ...more] = read([CHUNKED.slice(0, at), CHUNKED.slice(at)]);
      assert.deepEqual([reply?.status, reply?.body?.toString(), more.length], [503, 'hello', 0]);
    }
  });

  it('reads consecutive replies, including one without a body', () => {
    const statuses = read([PLAIN, 'HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n', CHUNKED]).map(
      ({ status }) => status,
    );
    assert.deepEqual(statuses, [200, 403, 503]);
  });

  it('drops the body on request and reports that the connection closes', () => {
    const [reply] = read(['HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi'], false);
    assert.deepEqual(reply, { status: 200, closes: true });
  });
});
