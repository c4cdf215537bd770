import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import { upstreamErrorOf, jsonOrText, rawObject } from '../../src/core/decode-reply.js';

const replyOf = (body: Buffer | string, type?: string) => ({
  status: 200,
  headers: type === undefined ? {} : { 'content-type': type },
  body: Buffer.from(body),
});

describe('the body of a reply', () => {
  it('that is JSON is passed on byte for byte, so that no number loses a digit', () => {
    const body = '{"serial": 12345678901234567890}';
    assert.deepEqual(jsonOrText(replyOf(body, 'application/yang-data+json')), { rawJson: Buffer.from(body) });
  });

  it('that only says it is JSON, or does not say it, is text', () => {
    assert.equal(jsonOrText(replyOf('<html>', 'application/json')), '<html>');
    assert.equal(jsonOrText(replyOf('{}', 'text/plain')), '{}');
    assert.equal(jsonOrText(replyOf('')), '');
  });

  it('in another character set becomes UTF-8 (bug: its bytes were passed on as if they were)', () => {
    const latin = replyOf(
      Buffer.from('{"name":"München"}', 'latin1'),
      'application/json; charset=iso-8859-1',
    );
    assert.deepEqual(jsonOrText(latin), { rawJson: Buffer.from('{"name":"München"}') });
  });

  it('that is no text is refused, not mangled', () => {
    const binary = replyOf(Buffer.from([0xff, 0xfe, 0x00]), 'application/octet-stream');
    assert.throws(
      () => jsonOrText(binary),
      (error) => error instanceof Problem && error.code === 'upstream_bad_reply',
    );
  });

  it('that is JSON but for bytes that are not UTF-8 is refused in names and values alike', () => {
    for (const text of ['{"a":"\xff"}', '{"\xff":1}', '["\xc3"]']) {
      const reply = replyOf(Buffer.from(text, 'latin1'), 'application/json');
      assert.throws(
        () => jsonOrText(reply),
        (error) => error instanceof Problem && error.code === 'upstream_bad_reply',
      );
    }
    const body = '{"Stadt":"München"}';
    assert.deepEqual(jsonOrText(replyOf(body, 'application/json')), { rawJson: Buffer.from(body) });
  });

  it('goes into an object as it is', () => {
    const { rawJson } = rawObject({
      response: { rawJson: Buffer.from('[1.10]') },
      statusCode: 200,
      text: 'a"b',
    });
    assert.equal(rawJson.toString(), '{"response":[1.10],"statusCode":200,"text":"a\\"b"}');
  });
});

describe('a complaint of an orchestrator', () => {
  it('is JSON where it is neither long nor deep, else the beginning of its text', () => {
    assert.deepEqual(upstreamErrorOf(replyOf('{"a":1}', 'application/json')), { a: 1 });
    const deep = '['.repeat(1000) + ']'.repeat(1000);
    assert.equal(upstreamErrorOf(replyOf(deep, 'application/json')), deep);
    assert.equal(String(upstreamErrorOf(replyOf('x'.repeat(100_000)))).length, 65_536);
  });
});
