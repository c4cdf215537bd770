import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  chunkedFrame,
  endOfMessageFrame,
  FrameDecoder,
  InvalidFrame,
} from '../../../plugins/netconf/framing.js';

const MAX_BYTES = 1000;

function messagesOf(decoder: FrameDecoder, pieces: readonly Buffer[]): readonly string[] {
  const messages: string[] = [];
  for (const piece of pieces) {
    decoder.push(piece);
    for (let next = decoder.next(); next; next = decoder.next()) messages.push(next.toString());
  }
  return messages;
}

function chunkedDecoder(): FrameDecoder {
  const decoder = new FrameDecoder(MAX_BYTES);
  decoder.useChunks();
  return decoder;
}

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let start = 0;
  return ends.map((end) => {
    const piece = bytes.subarray(start, end);
    start = end;
    return piece;
  });
}

/** A message in chunks of the given sizes. */
function inChunks(text: string, sizes: readonly number[]): Buffer {
  const pieces = cut(Buffer.from(text), sizes).filter(({ length }) => length > 0);
  const chunks = pieces.flatMap((piece) => [Buffer.from(`\n#${piece.length}\n`), piece]);
  return Buffer.concat([...chunks, Buffer.from('\n##\n')]);
}

const places = fc.array(fc.nat(10_000), { maxLength: 30 });
const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const delimiter = fc.constantFrom('\n##\n', '#', ']]>', ']]>]]', '\n#3\n');
const text = fc.oneof(anyText, delimiter).map((content) => `<${content}`);
const texts = fc.array(text, { minLength: 1, maxLength: 5 });

describe('the framing of NETCONF', () => {
  it('takes messages apart that end with ]]>]]>, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(texts, places, (messages, cuts) => {
        const sent = messages.map((text) => text.replaceAll(']]>]]>', ''));
        const bytes = Buffer.concat(sent.map(endOfMessageFrame));
        // The end of one text and the start of its delimiter may form a delimiter, as in XML it cannot.
        if (sent.some((text) => `${text}]]>]]>`.indexOf(']]>]]>') !== text.length)) return;
        assert.deepEqual(messagesOf(new FrameDecoder(MAX_BYTES), cut(bytes, cuts)), sent);
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it('skips one line end before the first chunk, wherever the bytes are cut (bug: the adapter never started)', () => {
    fc.assert(
      fc.property(fc.constantFrom('', '\n', '\r\n'), texts, places, (lineEnd, messages, cuts) => {
        const bytes = Buffer.concat([Buffer.from(lineEnd), ...messages.map(chunkedFrame)]);
        assert.deepEqual(messagesOf(chunkedDecoder(), cut(bytes, cuts)), messages);
      }),
      { numRuns: 300, seed: 6 },
    );
  });

  it('refuses other bytes before the first chunk, and a line end between later messages', () => {
    const [frame, lineEnd] = [chunkedFrame('<a/>'), Buffer.from('\n')];
    for (const before of ['\n\n', '\r', '\r\n\r\n', ' ', '\n ', 'x'])
      assert.throws(() => messagesOf(chunkedDecoder(), [Buffer.from(before), frame]), InvalidFrame, before);
    assert.throws(() => messagesOf(chunkedDecoder(), [frame, lineEnd, frame]), InvalidFrame);
  });

  it('takes messages in chunks apart, wherever chunks and bytes are cut', () => {
    fc.assert(
      fc.property(texts, places, places, (messages, sizes, cuts) => {
        const bytes = Buffer.concat(messages.map((text) => inChunks(text, sizes)));
        assert.deepEqual(messagesOf(chunkedDecoder(), cut(bytes, cuts)), messages);
      }),
      { numRuns: 500, seed: 4 },
    );
  });

  it('writes chunks that it reads', () => {
    assert.equal(chunkedFrame('é').toString(), '\n#2\né\n##\n');
    assert.deepEqual(messagesOf(chunkedDecoder(), [chunkedFrame('é')]), ['é']);
  });

  it('changes the framing between two messages of one piece', () => {
    const decoder = new FrameDecoder(MAX_BYTES);
    decoder.push(Buffer.concat([endOfMessageFrame('<hello/>\n'), chunkedFrame('<rpc-reply/>')]));
    assert.equal(decoder.next()?.toString(), '<hello/>\n');
    decoder.useChunks();
    assert.equal(decoder.next()?.toString(), '<rpc-reply/>');
    assert.equal(decoder.next(), undefined);
  });

  it('leaves out white space before a message, which XML does not allow there', () => {
    const decoder = new FrameDecoder(MAX_BYTES);
    assert.deepEqual(messagesOf(decoder, [Buffer.from('\r\n <hello/>]]>]]>')]), ['<hello/>']);
  });

  const bad = [
    'x',
    '\nx',
    '\n#x',
    '\n#\n',
    '\n#0\n',
    '\n#01\nx',
    '\n#-1\n',
    '\n##x',
    '\n##\n',
    '\n#4294967296\n',
    '\n#99999999999\n',
    '\n#12345678901234',
    '\n# 1\n',
    '\r\n#1\n',
    '\n#1\nxy',
    '\n#1\nx\n#',
    '\n#1\nx##\n',
  ];
  it('refuses what is malformed, and waits for the rest', () => {
    for (const text of bad) {
      const isIncomplete = text === '\n#1\nx\n#';
      for (const pieces of [[Buffer.from(text)], text.split('').map((one) => Buffer.from(one))]) {
        const read = (): unknown => messagesOf(chunkedDecoder(), pieces);
        if (isIncomplete) assert.deepEqual(read(), [], JSON.stringify(text));
        else assert.throws(read, InvalidFrame, JSON.stringify(text));
      }
    }
  });

  it('refuses a message above the limit before it is complete', () => {
    const large = Buffer.alloc(MAX_BYTES + 10, 0x61);
    assert.throws(() => messagesOf(new FrameDecoder(MAX_BYTES), [large]), /larger than 1000 bytes/);
    const chunks = Array.from({ length: MAX_BYTES + 1 }, () => Buffer.from('\n#1\na'));
    assert.throws(() => messagesOf(chunkedDecoder(), chunks), /larger than 1000 bytes/);
  });

  it('never throws another error, whatever the bytes are', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 8 }),
        fc.constantFrom('\n#2\n', '\n##\n', ']]>]]>', 'ab').map((text) => Buffer.from(text)),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(pieces, fc.boolean(), (parts, isChunked) => {
        try {
          messagesOf(
            isChunked ? chunkedDecoder() : new FrameDecoder(MAX_BYTES),
            parts.map((part) => Buffer.from(part)),
          );
        } catch (error) {
          assert.ok(error instanceof InvalidFrame);
        }
      }),
      { numRuns: 2000, seed: 9 },
    );
  });

  it('does not keep white space before a message, which it searched for seconds, and counts it', () => {
    const decoder = chunkedDecoder();
    decoder.push(Buffer.from(`\n#${MAX_BYTES - 1}\n${' '.repeat(MAX_BYTES - 1)}`));
    assert.equal(decoder.next(), undefined);
    assert.equal(decoder.heldBytes, 0);
    decoder.push(Buffer.from('\n#1\na\n##\n'));
    assert.equal(decoder.next()?.toString(), 'a');
    decoder.push(Buffer.from(`\n#${MAX_BYTES + 1}\n${'\t'.repeat(MAX_BYTES + 1)}`));
    assert.throws(() => decoder.next(), InvalidFrame);
  });
});
