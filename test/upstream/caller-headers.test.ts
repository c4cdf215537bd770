import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import { checkCallerHeaders } from '../../src/upstream/header-rules.js';

/** Returns the refusal of headers: the message of the problem, then each pointer with its message. */
function refusalOf(headers: Readonly<Record<string, string>>, credentials = false): readonly string[] {
  try {
    checkCallerHeaders(headers, credentials);
    return [];
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === 'invalid_header', String(error));
    const errors = error.extras.errors ?? [];
    return [error.message, ...errors.map(({ pointer, message }) => `${pointer} ${message}`)];
  }
}

const ONE = 'a header is refused: see "errors"';
const TWO = '2 headers are refused: see "errors"';

describe('the headers of an outbound call', () => {
  it('number at most 100', () => {
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, '']));
    assert.deepEqual(refusalOf(headers(100)), []);
    assert.deepEqual(refusalOf(headers(101)), [ONE, '/headers are more than 100']);
  });

  it('have at most 16 KiB of names and values', () => {
    assert.deepEqual(refusalOf({ abcd: 'x'.repeat(16_378), y: 'z' }), []);
    assert.deepEqual(refusalOf({ abcd: 'x'.repeat(16_379), y: 'z' }), [
      ONE,
      '/headers are larger than 16384 bytes',
    ]);
  });

  it('are refused individually, each with its reason', () => {
    assert.deepEqual(refusalOf({ Accept: 'a', ACCEPT: 'b', b: 'c', 'a_/b': 'x' }), [
      TWO,
      '/headers/ACCEPT is set twice, in different letter cases',
      '/headers/a_~1b has a "_" in its name, which many servers read as "-"',
    ]);
  });

  const RESERVED = `Host content-length Transfer-Encoding CONNECTION Keep-Alive Upgrade TE Trailer Expect
    Proxy-Authorization Proxy-Connection X-Forwarded-For x-forwarded-host Forwarded Transfer_Encoding Content_Length
    Transfer.Encoding __proto__x a:b ä a(b)`;
  it('are refused with a reserved or malformed name or value', () => {
    for (const name of ['', 'a b', 'a\r\nb', '\0', ...RESERVED.split(/\s+/)]) {
      const [, fault = '', ...others] = refusalOf({ [name]: 'x' });
      assert.ok(fault.startsWith(`/headers/${name} `), JSON.stringify(name));
      assert.deepEqual(others, []);
    }
    for (const value of ['a\r\nHost: evil', 'a\nb', 'a\rb', 'a\0b', '\u2028', '€', '\x7f'])
      assert.match(refusalOf({ ok: value })[1] ?? '', /^\/headers\/ok /, JSON.stringify(value));
  });

  it('include no Authorization if the call has a user and a password', () => {
    assert.deepEqual(refusalOf({ AUTHORIZATION: 'x' }), []);
    assert.deepEqual(refusalOf({ accept: 'x' }, true), []);
    assert.deepEqual(refusalOf({ AUTHORIZATION: 'x' }, true), [
      ONE,
      '/headers/AUTHORIZATION contradicts the user and the password of the call',
    ]);
  });
});
