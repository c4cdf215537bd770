import assert from 'node:assert/strict';
import { upstreamErrorOf, jsonOrText, rawObject } from '../../src/core/decode-reply.js';
import { problem } from '../support/failing.js';

const replyOf = (body: Buffer | string, type?: string) => ({
  status: 200,
  headers: type === undefined ? {} : { 'content-type': type },
  body: Buffer.from(body),
});

describe('jsonOrText', () => {
  it('passes JSON on byte for byte, so that no number loses a digit', () => {
    const body = '{"serial": 12345678901234567890}';
    assert.deepEqual(jsonOrText(replyOf(body, 'application/yang-data+json')), { rawJson: Buffer.from(body) });
  });

  it('returns text for invalid JSON and for other content types', () => {
    assert.equal(jsonOrText(replyOf('<html>', 'application/json')), '<html>');
    assert.equal(jsonOrText(replyOf('{}', 'text/plain')), '{}');
    assert.equal(jsonOrText(replyOf('')), '');
  });

  it('ignores one byte order mark where JSON is declared (bug: the reply became a text)', () => {
    for (const text of ['{"a":1}', '{"a":"ü"}'])
      assert.deepEqual(jsonOrText(replyOf(`\ufeff${text}`, 'application/json; charset=utf-8')), {
        rawJson: Buffer.from(text),
      });
    const utf16 = replyOf(Buffer.from('\ufeff[1]', 'utf16le'), 'application/json; charset=utf-16le');
    assert.deepEqual(jsonOrText(utf16), { rawJson: Buffer.from('[1]') });
    for (const [text, type] of [
      ['\ufeff\ufeff{}', 'application/json'],
      ['\ufeff{', 'application/json'],
      ['\ufeff{}', 'text/plain'],
    ] as const)
      assert.equal(jsonOrText(replyOf(text, type)), text);
    assert.deepEqual(upstreamErrorOf(replyOf('\ufeff{"a":1}', 'application/json')), { a: 1 });
  });

  it('converts other character sets to UTF-8 (bug: the bytes were passed on unchanged)', () => {
    const latin = replyOf(
      Buffer.from('{"name":"München"}', 'latin1'),
      'application/json; charset=iso-8859-1',
    );
    assert.deepEqual(jsonOrText(latin), { rawJson: Buffer.from('{"name":"München"}') });
  });

  it('rejects a body that is not text', () => {
    const binary = replyOf(Buffer.from([0xff, 0xfe, 0x00]), 'application/octet-stream');
    assert.throws(() => jsonOrText(binary), problem('upstream_bad_reply'));
  });

  it('rejects JSON with bytes that are not UTF-8, in names and values', () => {
    for (const text of ['{"a":"\xff"}', '{"\xff":1}', '["\xc3"]']) {
      const reply = replyOf(Buffer.from(text, 'latin1'), 'application/json');
      assert.throws(() => jsonOrText(reply), problem('upstream_bad_reply'));
    }
    const body = '{"Stadt":"München"}';
    assert.deepEqual(jsonOrText(replyOf(body, 'application/json')), { rawJson: Buffer.from(body) });
  });

  it('is embedded into an object unchanged by rawObject', () => {
    const { rawJson } = rawObject({
      response: { rawJson: Buffer.from('[1.10]') },
      statusCode: 200,
      text: 'a"b',
    });
    assert.equal(rawJson.toString(), '{"response":[1.10],"statusCode":200,"text":"a\\"b"}');
  });
});

describe('upstreamErrorOf', () => {
  it('returns JSON of limited size and depth, otherwise the beginning of the text', () => {
    assert.deepEqual(upstreamErrorOf(replyOf('{"a":1}', 'application/json')), { a: 1 });
    const deep = '['.repeat(1000) + ']'.repeat(1000);
    assert.equal(upstreamErrorOf(replyOf(deep, 'application/json')), deep);
    assert.equal(String(upstreamErrorOf(replyOf('x'.repeat(100_000)))).length, 65_536);
  });
});
