import assert from 'node:assert/strict';
import { isRawJson, jsonOrText } from '../../../src/core/decode-reply.js';
import type { HttpReply } from '../../../src/core/http.js';
import { replyPieces } from '../../../src/features/lib/reply-pieces.js';
import { problem } from '../../support/failing.js';

const signal = new AbortController().signal;
const LENGTH = 400_000;
const MAX_BYTES = 1_000_000;

const replyOf = (body: string | Buffer, type: string): HttpReply => ({
  status: 200,
  headers: { 'content-type': type },
  body: Buffer.from(body),
});

async function textOf(reply: HttpReply): Promise<{ text: string; pieces: number; largest: number }> {
  const { pieces } = await replyPieces(reply, { signal, maxBytes: MAX_BYTES });
  const parts: Buffer[] = [];
  for await (const piece of pieces()) parts.push(Buffer.from(piece));
  const largest = Math.max(...parts.map(({ length }) => length));
  return { text: Buffer.concat(parts).toString(), pieces: parts.length, largest };
}

const JSON_TYPE = 'application/json';
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const REPLIES: Readonly<Record<string, HttpReply>> = {
  'control characters': replyOf(Buffer.alloc(LENGTH, 1), 'text/plain'),
  'text in UTF-8': replyOf('a\u00e9\u20ac\u{1f600}'.repeat(LENGTH / 10), 'text/plain'),
  'text with a byte order mark': replyOf(`\ufeff${'a'.repeat(LENGTH)}`, 'text/plain'),
  'text in Latin-1': replyOf(Buffer.alloc(LENGTH, 0xe9), 'text/plain; charset=iso-8859-1'),
  'text in UTF-16': replyOf(utf16('a\u{1f600}'.repeat(LENGTH / 6)), 'text/plain; charset=utf-16le'),
  'empty objects': replyOf(`[${'{},'.repeat(LENGTH / 3)}{}]`, JSON_TYPE),
  'deep JSON': replyOf('['.repeat(LENGTH / 2) + ']'.repeat(LENGTH / 2), JSON_TYPE),
  numbers: replyOf(`[${'1.5e3,'.repeat(LENGTH / 6)}1]`, JSON_TYPE),
  'one string': replyOf(`"${'\u00e9'.repeat(LENGTH / 2)}"`, JSON_TYPE),
  'JSON in Latin-1': replyOf(
    Buffer.from(`"${'\u00e9'.repeat(LENGTH)}"`, 'latin1'),
    `${JSON_TYPE}; charset=iso-8859-1`,
  ),
  'JSON with a byte order mark': replyOf(`\ufeff[${'1,'.repeat(LENGTH / 2)}1]`, JSON_TYPE),
  'JSON in UTF-16 with a byte order mark': replyOf(
    utf16(`\ufeff[${'1,'.repeat(LENGTH / 2)}1]`),
    `${JSON_TYPE}; charset=utf-16le`,
  ),
  'broken JSON': replyOf(`"${'\u0001'.repeat(LENGTH)}`, JSON_TYPE),
};

describe('the pieces of a large reply', () => {
  for (const [name, reply] of Object.entries(REPLIES))
    it(`finding F2: are the same JSON as the whole, none of them large: ${name}`, async () => {
      const whole = jsonOrText(reply);
      const { text, pieces, largest } = await textOf(reply);
      assert.ok(text === (isRawJson(whole) ? whole.rawJson.toString() : JSON.stringify(whole)));
      assert.ok(pieces >= 3, String(pieces));
      assert.ok(largest <= 6 * 131_072, String(largest));
    });

  it('finding F2: are refused before the first one if the bytes are no text, or too many in UTF-8', async () => {
    const terms = { signal, maxBytes: LENGTH };
    const refuse = (reply: HttpReply, code: Parameters<typeof problem>[0]) =>
      assert.rejects(replyPieces(reply, terms), problem(code));
    const broken = Buffer.alloc(LENGTH, 'a');
    broken[LENGTH - 1] = 0xff;
    await refuse(replyOf(broken, 'text/plain'), 'upstream_bad_reply');
    await refuse(replyOf(broken, 'text/plain; charset=unknown'), 'upstream_bad_reply');
    await refuse(replyOf(broken.subarray(1), 'text/plain; charset=utf-16le'), 'upstream_bad_reply');
    const latin = replyOf(Buffer.alloc(LENGTH, 0xe9), `${JSON_TYPE}; charset=iso-8859-1`);
    await refuse(latin, 'upstream_too_large');
  });

  it('finding F2: end when the caller leaves', async () => {
    const caller = new AbortController();
    const inspected = replyPieces(REPLIES['numbers']!, { signal: caller.signal, maxBytes: MAX_BYTES });
    caller.abort(new Error('the caller left'));
    await assert.rejects(inspected, /the caller left/);
  });
});
