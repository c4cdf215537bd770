import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bearerToken, extractCredentials } from '../../src/auth/authenticate.js';
import { type RequestHead, type CredentialScheme, STYLES } from '../../src/core/login.js';
import { CSRF_HEADER } from '../../src/core/same-origin.js';
import { uniformReason } from './fixtures.js';

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly target?: string;
  readonly method?: string;
  readonly accept?: readonly CredentialScheme[];
  readonly isOverTls?: boolean;
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

function head({ headers = {}, target = '/', method = 'GET', isOverTls = false }: Sent): RequestHead {
  return { header: (name) => headers[name], method, target, address: '192.0.2.1', isOverTls };
}

function credentialsOf(sent: Sent): string {
  try {
    const what = extractCredentials(head(sent), new Set(sent.accept ?? STYLES));
    if ('token' in what) return `token ${what.token}`;
    if ('certificate' in what) return 'certificate';
    return `${what.credentials.name} with ${what.credentials.password.reveal()}`;
  } catch (error) {
    return uniformReason(error);
  }
}

const COOKIE = { cookie: 'a=b; token=c.o.o; z=1' };
const NONE = 'no token was sent';
const TWICE = '2 cookies with the name token';
const FOREIGN = 'a page of another site sent it';
const BAD = 'the authorization header does not have the scheme Bearer and one token';
const BAD_BASIC = 'the authorization header is not "Basic <name and password>"';

describe('bearerToken', () => {
  it('returns the token of one header with the scheme in any case', () => {
    for (const [header, token] of [
      ['Bearer abc', 'abc'],
      ['bearer abc', 'abc'],
      ['BEARER a.b-c_d~e+f/g==', 'a.b-c_d~e+f/g=='],
    ] as const) {
      assert.equal(bearerToken(header), token);
      assert.equal(bearerToken([header]), token);
    }
  });

  const refused: readonly (readonly string[] | string | undefined)[] = [
    ...[undefined, [], ['Bearer abc', 'Bearer abc'], ['Bearer abc', 'Basic abc'], '', 'Bearer', 'Bearer '],
    ...['Bearer  abc', 'Bearer\tabc', ' Bearer abc', 'Bearer abc ', 'Bearer abc\n', 'Bearer abc, Bearer abc'],
    ...['Bearer abc,abc', 'Bearer abc def', 'Bearer a=b', 'Bearer "abc"', 'Bearer abc\u0000', 'Bearer äbc'],
    ...['Basic YTpi', 'abc', 'Bearerabc', 'Bearer: abc', 'token=abc'],
  ];
  it('rejects every other form', () => {
    for (const header of refused)
      assert.throws(
        () => bearerToken(header),
        (error) => uniformReason(error) !== '',
        JSON.stringify(header),
      );
  });

  it('returns only text that the header contains (property)', () => {
    const letters = fc.string({ unit: fc.constantFrom('B', 'e', 'a', 'r', ' ', '.', '=', ',', '\t') });
    fc.assert(
      fc.property(fc.oneof(fc.string(), letters), (text) => {
        try {
          assert.equal(`bearer ${bearerToken(text)}`, text.replace(/^bearer/i, 'bearer'));
        } catch (error) {
          uniformReason(error);
        }
      }),
    );
  });
});

describe('presented', () => {
  const table: readonly (readonly [what: string, sent: Sent, expected: string])[] = [
    ['nothing', {}, 'no token was sent'],
    ['a bearer token', { headers: { authorization: 'Bearer a.b.c' } }, 'token a.b.c'],
    ['a name and a password', { headers: { authorization: basic('ada:p:w') } }, 'ada with p:w'],
    ['another case of the scheme', { headers: { authorization: basic('ada:p').replace('B', 'b') } }, 'ada with p'],
    ['an empty password', { headers: { authorization: basic('ada:') } }, 'ada with '],
    ['letters beyond ASCII', { headers: { authorization: basic('zoë:grün') } }, 'zoë with grün'],
    ['a query', { target: '/x?a=b&token=q.u.e&c' }, 'token q.u.e'],
    ['a query in percent encoding', { target: '/x?%74oken=q%2Eu.e' }, 'token q.u.e'],
    ['a cookie', { headers: COOKIE }, 'token c.o.o'],
    ['header and query and cookie', { headers: { ...COOKIE, authorization: 'Bearer a.b.c' }, target: '/?token=q.u.e' }, 'token a.b.c'],
    ['query and cookie', { headers: COOKIE, target: '/?token=q.u.e' }, 'token q.u.e'],
    ['a bad header and a cookie', { headers: { ...COOKIE, authorization: 'Digest x' } }, BAD],
    ['an empty header and a cookie', { headers: { ...COOKIE, authorization: '' } }, BAD],
    ['a bad Basic and a cookie', { headers: { ...COOKIE, authorization: 'Basic !' } }, BAD_BASIC],
    ['Basic without a colon', { headers: { authorization: basic('ada') } }, BAD_BASIC],
    ['Basic without a name', { headers: { authorization: basic(':p') } }, BAD_BASIC],
    ['Basic in Latin-1', { headers: { authorization: `Basic ${Buffer.from('zo\xeb:p', 'latin1').toString('base64')}` } }, BAD_BASIC],
    ['a long name', { headers: { authorization: basic(`${'a'.repeat(257)}:p`) } }, BAD_BASIC],
    ['a long password', { headers: { authorization: basic(`a:${'p'.repeat(1025)}`) } }, BAD_BASIC],
    ['an empty query token', { headers: COOKIE, target: '/?token=' }, BAD],
    ['two query tokens', { target: '/?token=a&token=a' }, '2 parameters with the name token'],
    ['two cookies', { headers: { cookie: 'token=a; token=b' } }, '2 cookies with the name token'],
    ['cookies with other names', { headers: { cookie: 'xtoken=a; Token=b; token2=c; token' } }, 'no token was sent'],
    ['a closed bearer', { headers: { authorization: 'Bearer a' }, accept: ['basic', 'cookie'] }, 'Bearer is not in auth.local.accept'],
    ['a closed Basic', { headers: { authorization: basic('a:b') }, accept: ['bearer'] }, 'Basic is not in auth.local.accept'],
    ['a closed query, then a cookie', { headers: COOKIE, target: '/?token=q', accept: ['cookie'] }, 'token c.o.o'],
    ['a closed cookie', { headers: COOKIE, accept: ['bearer', 'query', 'basic'] }, 'no token was sent'],
  ]; // prettier-ignore
  it('extracts credentials in the order of their places', () => {
    for (const [what, sent, expected] of table) assert.equal(credentialsOf(sent), expected, what);
  });

  it('returns credentials or the uniform 401 for any text (property)', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (cookie, query) => {
        credentialsOf({ headers: { cookie }, target: `/?${query}` });
        credentialsOf({ headers: { authorization: cookie } });
      }),
    );
  });
});

describe('presented for a request of another site', () => {
  const host = { host: 'gate.example:3000' };
  const table: readonly (readonly [headers: Readonly<Record<string, string>>, isOwn: boolean])[] = [
    [{}, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://proxy.example' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://gate.example:3000' }, false],
    [{ 'sec-fetch-site': '' }, false],
    [{ 'sec-fetch-site': 'anything' }, false],
    [{ origin: 'http://gate.example:3000' }, true],
    [{ origin: 'http://gate.example' }, false],
    [{ origin: 'http://evil.example' }, false],
    [{ origin: 'null' }, false],
  ];
  it('accepts ambient credentials of a page of its own alone, and a bearer token of any page', () => {
    for (const [headers, isOwn] of table) {
      const of = (credentials: Readonly<Record<string, string>>) =>
        credentialsOf({ headers: { ...host, ...credentials, ...headers } });
      const results = [of(COOKIE), of({ authorization: basic('ada:p') }), of({ authorization: 'Bearer a' })];
      const expected = [...(isOwn ? ['token c.o.o', 'ada with p'] : [FOREIGN, FOREIGN]), 'token a'];
      assert.deepEqual(results, expected, JSON.stringify(headers));
    }
  });
});

describe('presented for a state-changing request with a cookie', () => {
  const sent = (method: string, headers: Readonly<Record<string, string>>) => () =>
    extractCredentials(
      head({ method, headers: { host: 'gate.example', ...COOKIE, ...headers } }),
      new Set(STYLES),
    );
  const own = { 'sec-fetch-site': 'same-origin' };
  const mark = { [CSRF_HEADER]: '1' };
  const isCsrf = { code: 'csrf_refused', status: 403, message: /x-gatehouse-csrf: 1/ };

  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
    it(`requires the CSRF header from a browser for ${method}`, () => {
      assert.throws(sent(method, own), isCsrf);
      assert.throws(sent(method, { origin: 'http://gate.example' }), isCsrf);
      assert.throws(sent(method, { ...own, [CSRF_HEADER]: '' }), isCsrf);
      assert.throws(sent(method, { ...own, [CSRF_HEADER]: 'true' }), isCsrf);
      assert.deepEqual(sent(method, { ...own, ...mark })(), { token: 'c.o.o' });
    });

  it('requires no CSRF header from a program, which sends no browser headers, and for GET and HEAD', () => {
    assert.deepEqual(sent('POST', {})(), { token: 'c.o.o' });
    for (const method of ['GET', 'HEAD']) assert.deepEqual(sent(method, own)(), { token: 'c.o.o' });
  });

  it('rejects a request of another site even with the CSRF header, which other schemes do not need', () => {
    for (const [other, expected] of [
      [{ headers: { ...COOKIE, ...mark, 'sec-fetch-site': 'cross-site' } }, FOREIGN],
      [{ headers: { ...own, authorization: 'Bearer a.b.c' } }, 'token a.b.c'],
      [{ headers: { ...own, authorization: basic('ada:p') } }, 'ada with p'],
      [{ headers: own, target: '/?token=a.b.c' }, 'token a.b.c'],
    ] as const)
      assert.equal(credentialsOf({ method: 'POST', ...other }), expected);
  });
});

describe('finding F17: the session cookie', () => {
  const planted = 'token=p.l.anted';
  const own = '__Host-token=o.w.n';
  const browser = { 'sec-fetch-site': 'none' };
  const table: readonly (readonly [what: string, sent: Sent, expected: string])[] = [
    ['of a browser over TLS', { headers: { ...browser, cookie: own }, isOverTls: true }, 'token o.w.n'],
    ['beside a planted cookie', { headers: { ...browser, cookie: `${planted}; ${own}` } }, 'token o.w.n'],
    ['planted in a browser over TLS', { headers: { ...browser, cookie: planted }, isOverTls: true }, NONE],
    ['of a browser over plain HTTP', { headers: { ...browser, cookie: planted } }, 'token p.l.anted'],
    ['of a program over TLS', { headers: { cookie: planted }, isOverTls: true }, 'token p.l.anted'],
    ['that occurs twice', { headers: { ...browser, cookie: `${own}; ${own}` }, isOverTls: true }, TWICE],
  ];
  it('is read as follows', () => {
    for (const [what, sent, expected] of table) assert.equal(credentialsOf(sent), expected, what);
  });
});
