import assert from 'node:assert/strict';
import { Secret } from '../../../src/core/secret.js';
import { lifetimeSecondsOf, parseReplyJson } from '../../../src/upstream/login/session.js';
import {
  collectCookies,
  cookieHeader,
  type Cookies,
  fillTemplate,
  fillJsonTemplate,
  placeholdersIn,
} from '../../../src/upstream/login/steps.js';

describe('the templates of a login', () => {
  const taken = new Map([['token', 'a/b'], ['id', '7']]); // prettier-ignore

  it('replace names in braces by extracted values', () => {
    assert.equal(fillTemplate('X {token}-{id}', taken), 'X a/b-7');
    assert.equal(fillTemplate('/x/{token}', taken, encodeURIComponent), '/x/a%2Fb');
    assert.deepEqual(placeholdersIn('{a} {b_1} {} {1} {a b}'), ['a', 'b_1']);
  });

  it('keep other braces, for example in a password', () => {
    assert.equal(fillTemplate('p{word} {} {{id}}', taken), 'p{word} {} {7}');
    assert.equal(fillTemplate('{constructor}{__proto__}', taken), '{constructor}{__proto__}');
  });

  it('are not filled twice: an extracted value is not a template', () => {
    assert.equal(fillTemplate('{token}', new Map([['token', '{id}'], ['id', '7']])), '{id}'); // prettier-ignore
  });

  it('are filled at any depth of a body, with revealed secrets and no other changes', () => {
    const body = { a: [new Secret('{id}'), 1, null, true], b: { c: 'x{token}' } };
    assert.deepEqual(fillJsonTemplate(body, taken), { a: ['7', 1, null, true], b: { c: 'xa/b' } });
  });
});

describe('the cookies of a login', () => {
  const now = Date.UTC(2026, 0, 1);
  const collected = (...lines: readonly string[]): string | undefined => {
    const cookies: Cookies = new Map();
    collectCookies(cookies, { 'set-cookie': lines }, now);
    return cookieHeader(cookies);
  };

  for (const [title, lines, expected] of [
    [
      'are stored by name, without their attributes',
      ['A=1; Path=/; HttpOnly', 'B="x"; Secure'],
      'A=1; B="x"',
    ],
    ['are replaced by later ones', ['A=1', 'A=2'], 'A=2'],
    ['are removed when Max-Age is 0', ['A=1', 'B=2', 'A=; Max-Age=0'], 'B=2'],
    [
      'are removed when their Expires date has passed',
      ['A=1', 'A=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
      undefined,
    ],
    ['are kept by Max-Age, regardless of Expires', ['A=1; max-age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'A=1'], // prettier-ignore
    [
      'are ignored when they are malformed',
      ['=1', 'A', 'A B=1', 'A=a b', 'Ä=1', `A=${'x'.repeat(5_000)}`],
      undefined,
    ],
    ['may contain an equals sign, or be empty', ['A=b=c', 'B='], 'A=b=c; B='],
  ] as const)
    it(title, () => {
      assert.equal(collected(...lines), expected);
    });

  it('number at most 50', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `c${at}=1`);
    assert.equal(collected(...lines)?.split('; ').length, 50);
  });
});

describe('the JSON of a reply to a login', () => {
  it('may begin with a byte order mark', () => {
    assert.deepEqual(parseReplyJson({ body: Buffer.from('\ufeff{"token":"t"}') }), { token: 't' });
  });

  it('has at most 20,000 members: a reply of 1 MiB with more took 0.1 s of the event loop', () => {
    const withItems = (count: number) =>
      parseReplyJson({ body: Buffer.from(`{"token":"t","items":[${Array(count).fill('{}').join(',')}]}`) });
    assert.equal(typeof withItems(19_000), 'object');
    assert.equal(withItems(20_001), undefined);
  });
});

describe('lifetimeSecondsOf', () => {
  it('parses a lifetime, and ignores every other text', () => {
    for (const [value, expected] of [
      [60, 60],
      ['60', 60],
      ['0.5', 0.5],
      [0, undefined],
      [-1, undefined],
      ['', undefined],
      ['1h', undefined],
      [null, undefined],
      [Infinity, undefined],
      [NaN, undefined],
    ] as const)
      assert.equal(lifetimeSecondsOf(value), expected, JSON.stringify(value));
  });
});
