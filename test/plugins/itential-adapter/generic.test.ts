import assert from 'node:assert/strict';
import fc from 'fast-check';
import { replyOf } from '../../../plugins/itential-adapter/generic-reply.js';
import { genericRequest } from '../../../plugins/itential-adapter/generic-request.js';
import { createMask } from '../../../plugins/itential-adapter/mask.js';
import { outcomeOf } from '../../../plugins/itential-adapter/outcome.js';
import type { ProblemCode } from '../../../src/core/problem-codes.js';
import { Problem } from '../../../src/core/problem.js';
import { problem } from '../../support/failing.js';

const headers = { accept: 'application/json', 'content-type': 'application/json' };
const asked = (path: string, encodes = true) => genericRequest({ method: 'GET', path, headers }, encodes);

describe('genericRequest', () => {
  it('decodes segments if the adapter encodes them, and keeps them otherwise', () => {
    assert.equal(asked('/a%20b/c%3Ad').path, '/a b/c:d');
    assert.equal(asked('/a%20b/c:d', false).path, '/a%20b/c:d');
    assert.equal(asked('/').path, '/');
  });

  it('converts the query to an object, with a list for a repeated name', () => {
    assert.deepEqual(asked('/a?x=1&y=%26&x=2&z=a?b').query, { x: ['1', '2'], y: '&', z: 'a?b' });
  });

  it('converts headers to the spelling of adapters, and parses the body', () => {
    const body = Buffer.from('{"a":[1]}');
    const request = genericRequest({ method: 'POST', path: '/a', headers, body }, true);
    assert.deepEqual(request.headers, { Accept: 'application/json', 'Content-Type': 'application/json' });
    assert.deepEqual(request.body, { a: [1] });
    assert.equal('body' in asked('/a'), false);
  });

  it('refuses a form, because the adapter would send JSON under its media type', () => {
    const form = { accept: '*/*', 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const request = { method: 'POST', path: '/a', headers: form, body: Buffer.from('a=1') };
    assert.throws(
      () => genericRequest(request, true),
      problem('invalid_request', /contentType must be a JSON/),
    );
  });

  it('refuses a path that the adapter would change', () => {
    for (const path of '// /a/ /a//b /a/.. /%2e%2e/a /a%2fb /a%5Cb /a%00 /%zz /a?b /a?b='.split(' '))
      assert.throws(() => asked(path), problem('invalid_path'), path);
    for (const path of ['/a$b', '/a{b}', '/ä'])
      assert.throws(() => asked(path, false), problem('invalid_path'), path);
  });

  it('returns the same resource as the path, for any path', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }), (segments) => {
        const path = `/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`;
        try {
          assert.equal(asked(path).path.split('/').map(encodeURIComponent).join('/'), path);
        } catch (error) {
          problem('invalid_path')(error);
        }
      }),
    );
  });
});

describe('replyOf', () => {
  const bodyOf = (result: unknown) => replyOf(outcomeOf(result, null)).body.toString();

  it('returns the status, JSON and headers, without connection headers', () => {
    const sent = { 'X-Page': '2', connection: 'close', 'content-length': '99', 'set-cookie': ['a=b'] };
    const reply = replyOf(outcomeOf({ icode: 'AD.201', response: { a: 1 }, headers: sent }, null));
    assert.deepEqual([reply.status, reply.body.toString()], [201, '{"a":1}']);
    assert.deepEqual(reply.headers, { 'x-page': '2', 'content-type': 'application/json' });
  });

  it('returns JSON if the orchestrator declares JSON, and text otherwise', () => {
    const [json, text] = [{ 'content-type': 'application/json' }, { 'content-type': 'text/csv' }];
    assert.equal(bodyOf({ response: 'a', headers: json }), '"a"');
    assert.equal(bodyOf({ response: 'a', headers: text }), 'a');
    assert.equal(bodyOf({ icode: 'AD.204', response: 'success' }), '');
    for (const nothing of [null, undefined, {}, 'x', { response: null }]) assert.equal(bodyOf(nothing), '');
  });

  it('returns JSON that the adapter could not parse as text', () => {
    const typed = (response: string, more: object = {}) => {
      const received = { 'content-type': 'application/json', ...more };
      const { headers: sent, body } = replyOf(outcomeOf({ response, headers: received }, null));
      return [sent['content-type'], body.toString()];
    };
    assert.deepEqual(typed('{"a":'), ['text/plain', '{"a":']);
    assert.deepEqual(typed('OK', { 'content-length': '2' }), ['text/plain', 'OK']);
    assert.deepEqual(typed('""', { 'content-length': '2' }), ['application/json', '""']);
    // The content of JSON strings.
    assert.deepEqual(typed('OK', { 'content-length': '4' }), ['application/json', '"OK"']);
    assert.deepEqual(typed('{"a":1}'), ['application/json', '"{\\"a\\":1}"']);
    assert.deepEqual(typed('{a', { 'content-length': '4' }), ['application/json', '"{a"']);
  });

  it('returns the reply of the orchestrator inside an error', () => {
    const error = { icode: 'AD.500', IAPerror: { code: 409, raw_response: { response: 'taken' } } };
    const reply = replyOf(outcomeOf(null, error));
    assert.deepEqual([reply.status, reply.body.toString()], [409, 'taken']);
    assert.equal(replyOf(outcomeOf(null, { ...error, response: { a: 1 } })).body.toString(), '{"a":1}');
  });

  const failures: readonly (readonly [unknown, ProblemCode])[] = [
    [{ icode: 'AD.500', IAPerror: { code: -1, displayString: 'cut' } }, 'upstream_unreachable'],
    [{ icode: 'AD.500', IAPerror: { code: -2, displayString: 'late' } }, 'upstream_timeout'],
    [{ icode: 'AD.402', IAPerror: { displayString: 'no token' } }, 'upstream_auth'],
    [{ icode: 'AD.600', IAPerror: { displayString: 'suspended' } }, 'adapter_unavailable'],
    [{ icode: 'AD.312', IAPerror: {} }, 'upstream_failed'],
    ['a text', 'upstream_failed'],
    [new Error('thrown'), 'upstream_failed'],
  ];
  for (const [error, code] of failures)
    it(`throws ${code} for ${JSON.stringify(error)}`, () => {
      assert.throws(() => replyOf(outcomeOf(null, error)), problem(code, /the adapter reports AD\.\d+: \S/));
    });

  it('returns a reply or throws a Problem for any value', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (result, error) => {
        try {
          replyOf(outcomeOf(result, error));
        } catch (thrown) {
          assert.ok(thrown instanceof Problem);
        }
      }),
    );
  });
});

describe('the secret mask of a community adapter', () => {
  const mask = createMask(['hunter2/"', 'x']);

  it('hides a secret in any encoding, and keeps the rest', () => {
    const inBase64 = Buffer.from('hunter2/"').toString('base64');
    for (const text of ['hunter2/"', 'hunter2/\\"', 'hunter2%2F%22', inBase64])
      assert.equal(mask(`a ${text} x`), 'a [secret] x');
  });

  it('keeps the name of a credential that the sample properties use as its value (bug: it was hidden everywhere)', () => {
    const sample = createMask(['token', 'Client-Secret', 'password', 'changeme']);
    const line = 'Unable to get token for user with this client-secret and password';
    assert.equal(sample(line), line);
    assert.equal(sample('it is changeme'), 'it is [secret]');
  });

  it('keeps the word after the name of a method (bug: it was hidden)', () => {
    for (const line of [
      'a1-connectorRest-getToken: Unable to get a token',
      'getMFAToken: Unable to get a token',
      'my-tufin-1-connectorRest-validateToken: token is valid',
    ])
      assert.equal(mask(line), line);
    assert.equal(mask('a1-getToken: {"token":"abc"}'), 'a1-getToken: {"token":"[secret]"}');
    assert.equal(mask('getToken: token: abc'), 'getToken: token: [secret]');
  });

  it('hides values with secret names, such as tokens that the adapter obtains', () => {
    const hidden = [
      ['{"token":"abc","a":1}', '{"token":"[secret]","a":1}'],
      ['{\\"access_token\\":\\"abc\\"}', '{\\"access_token\\":\\"[secret]\\"}'],
      ['X-Auth-Token: abc', 'X-Auth-Token: [secret]'],
      ['Authorization: Basic YWJj, b', 'Authorization: [secret], b'],
      ['accessToken: abc', 'accessToken: [secret]'],
      ['additional_token: abc', 'additional_token: [secret]'],
      ['settoken: abc', 'settoken: [secret]'],
      ['a1-getToken: abc', 'a1-getToken: [secret]'],
      ['a1-getToken: eyJhbGciOiJ9.e30.x is used', 'a1-getToken: [secret] is used'],
      // bug: any word after a method was kept
      ['setPassword: hunter two', 'setPassword: [secret] two'],
      ['requestToken: abcdefghijklmnop expires 5', 'requestToken: [secret] expires 5'],
      ['x-makeToken: ["eyJ.a", "eyJ.b"] is new', 'x-makeToken: [secret] is new'],
      ['{"set-cookie":["sid=abc; Path=/"],"a":1}', '{"set-cookie":[secret],"a":1}'],
      ['"getToken":"abc"', '"getToken":"[secret]"'],
      [`${'x'.repeat(60)}token: abc`, `${'x'.repeat(60)}token: [secret]`],
    ];
    for (const [text = '', expected] of hidden) assert.equal(mask(text), expected);
  });
});
