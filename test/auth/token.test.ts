import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readToken } from '../../src/auth/token.js';
import { encodePart } from '../support/tokens.js';

const SIGNATURE = Buffer.alloc(64, 7).toString('base64url');
/** A signature in base64 with slashes. */
const STANDARD = Buffer.alloc(64, 255).toString('base64').slice(0, 86);

function tokenOf(header: string, payload = '{"sub":"a"}', signature = SIGNATURE): string {
  return `${encodePart(header)}.${encodePart(payload)}.${signature}`;
}

function refuses(token: string, reason: RegExp): void {
  assert.throws(() => readToken(token), { message: reason });
}

describe('readToken on the structure of a token', () => {
  it('returns algorithm, kid and payload of a valid token', () => {
    const read = readToken(tokenOf('{"alg":"ES256","typ":"JWT","kid":"k"}', '{"sub":"a"}'));
    assert.deepEqual(read, { alg: 'ES256', kid: 'k', isAccessToken: false, payload: { sub: 'a' } });
  });

  const headers: readonly string[] = [
    '{"alg":"ES256"}',
    '{"alg":"ES256","typ":"jwt"}',
    '{"alg":"ES256","typ":"at+jwt"}',
    '{"alg":"ES256","typ":"AT+JWT"}',
    '{"alg":"ES256","typ":"application/at+jwt"}',
    '{"alg":"ES256","jku":"https://evil.test","x5u":"https://evil.test","jwk":{},"x5c":["a"],"x5t":"b"}',
    `{"alg":"ES256","kid":"${'k'.repeat(256)}"}`,
  ];
  for (const header of headers)
    it(`accepts the header ${header.slice(0, 60)}`, () => {
      assert.equal(readToken(tokenOf(header)).alg, 'ES256');
    });

  const algorithms: readonly unknown[] = [
    'none', 'None', 'nOnE', 'none ', ' ES256', 'es256', 'ES256K', 'eddsa', 'Ed448', 'RS1', '', null, 0, 256, true, ['ES256'],
    { ES256: 1 }, '__proto__', 'constructor', 'toString', 'A128KW', 'HS256\u0000', undefined,
  ]; // prettier-ignore
  it('rejects every other algorithm', () => {
    for (const alg of algorithms)
      refuses(tokenOf(JSON.stringify({ alg, typ: 'JWT' })), /not name an accepted algorithm/);
  });

  const badHeaders: readonly (readonly [string, RegExp])[] = [
    ['{"alg":"ES256","crit":[]}', /crit/],
    ['{"alg":"ES256","crit":["exp"],"exp":1}', /crit/],
    ['{"alg":"ES256","b64":false}', /b64/],
    ['{"alg":"ES256","b64":true}', /b64/],
    ['{"alg":"ES256","zip":"DEF"}', /zip/],
    ['{"alg":"ES256","cty":"JWT"}', /cty/],
    ['{"alg":"ES256","typ":"JWE"}', /typ/],
    ['{"alg":"ES256","typ":"dpop+jwt"}', /typ/],
    ['{"alg":"ES256","typ":""}', /typ/],
    ['{"alg":"ES256","typ":null}', /typ/],
    ['{"alg":"ES256","typ":["JWT"]}', /typ/],
    ['{"alg":"ES256","kid":1}', /kid/],
    ['{"alg":"ES256","kid":null}', /kid/],
    ['{"alg":"ES256","kid":{"a":1}}', /kid/],
    [`{"alg":"ES256","kid":"${'k'.repeat(257)}"}`, /kid/],
    ['{"alg":"none","alg":"ES256"}', /twice/],
    ['{"alg":"ES256","\\u0061lg":"none"}', /twice/],
    ['["ES256"]', /not a JSON object/],
    ['"ES256"', /not a JSON object/],
    ['null', /not a JSON object/],
    ['{"alg":"ES256"', /not well-formed/],
    ['\ufeff{"alg":"ES256"}', /not well-formed/],
    [`{"alg":"ES256","x":"${'x'.repeat(1010)}"}`, /longer than 1024 bytes/],
    [`{"alg":"ES256","kid":"${'k'.repeat(6000)}"}`, /longer than 1024 bytes/],
  ];
  it('rejects malformed headers', () => {
    for (const [header, reason] of badHeaders) refuses(tokenOf(header), reason);
  });

  it('rejects a payload that is no JSON object, with a duplicate member, or that is not JSON', () => {
    for (const [payload, reason] of [
      ...['[]', '"x"', 'null', '1', 'true'].map(
        (text) => [text, /the payload is not a JSON object/] as const,
      ),
      ['{"roles":["a"],"roles":["admin"]}', /twice/],
      ['exp=1', /not well-formed/],
      ['\ufeff{}', /not well-formed/],
    ] as const)
      refuses(tokenOf('{"alg":"ES256"}', payload), reason);
  });

  it('rejects invalid UTF-8 in header and payload', () => {
    const broken = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64url');
    refuses(`${broken}.${encodePart('{}')}.${SIGNATURE}`, /UTF-8/);
    refuses(`${encodePart('{"alg":"ES256"}')}.${broken}.${SIGNATURE}`, /UTF-8/);
  });
});

describe('readToken on the encoding of a token', () => {
  const good = tokenOf('{"alg":"ES256"}');
  const [header = '', payload = '', signature = ''] = good.split('.');
  const variants: readonly (readonly [string, string])[] = [
    ['no text', ''],
    ['one part', header],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${good}.${signature}`],
    ['five parts, as a JWE', `${good}.${signature}.${signature}`],
    ['many parts', `${good}${'.'.repeat(5000)}`],
    ['an empty header', `.${payload}.${signature}`],
    ['an empty payload', `${header}..${signature}`],
    ['an empty signature', `${header}.${payload}.`],
    ['dots only', '..'],
    ['padding', `${good}==`],
    ['padding in the header', `${header}=.${payload}.${signature}`],
    ['a space at the end', `${good} `],
    ['a line break at the end', `${good}\n`],
    ['a line break inside', `${header}.${payload.slice(0, 4)}\n${payload.slice(4)}.${signature}`],
    ['the standard alphabet', `${header}.${payload}.${STANDARD}`],
    ['an unused bit set', `${header}.${payload}.${signature.slice(0, -1)}x`],
    ['extra letters', `${header}.${payload}.${signature}AAA`],
    ['a letter beyond ASCII', `${header}.${payload}.${signature.slice(0, -1)}ä`],
    ['a NUL', `${good}\u0000`],
  ];
  it('rejects malformed tokens', () => {
    for (const [, token] of variants) refuses(token, /three parts|canonical/);
  });

  it('rejects more than 8192 characters before it parses the token', () => {
    const longest = tokenOf('{"alg":"ES256"}', `{"x":"${'x'.repeat(6055)}"}`);
    assert.equal(longest.length, 8192);
    assert.equal(readToken(longest).alg, 'ES256');
    refuses(tokenOf('{"alg":"ES256"}', `{"x":"${'x'.repeat(6056)}"}`), /longer than 8192/);
    refuses('.'.repeat(5_000_000), /longer than 8192/);
  });

  it('accepts only the canonical base64url encoding (property)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 80 }), fc.nat(63), (bytes, letter) => {
        const right = Buffer.from(bytes).toString('base64url');
        const other = right.slice(0, -1) + ALPHABET.charAt(letter);
        const token = `${header}.${payload}.${other}`;
        if (Buffer.from(other, 'base64url').toString('base64url') === other) readToken(token);
        else refuses(token, /canonical/);
      }),
    );
  });
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
