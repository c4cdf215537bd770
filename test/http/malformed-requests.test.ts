import assert from 'node:assert/strict';
import { type HttpTestServer, startHttpTestServer, TOKENS } from '../support/http-server.js';
import { rawExchange, statusesIn } from '../support/raw-http.js';

const CREDENTIALS = `Authorization: Bearer ${TOKENS.admin}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';

/** Returns a POST that is valid except for the lines under test; `rest` follows the head. */
const post = (lines: string, rest = '') =>
  `POST /demo/things HTTP/1.1\r\nHost: a\r\n${CREDENTIALS}${JSON_TYPE}${lines}\r\n${rest}`;
const get = (lines: string, version = '1.1') => `GET /demo/status HTTP/${version}\r\n${lines}\r\n`;
/** Hidden request of a smuggling attempt. */
const HIDDEN = 'GET /demo/status HTTP/1.1\r\nHost: a\r\nX-Request-Id: smuggled\r\n\r\n';
const CHUNKED_END = '0\r\n\r\n';
const many = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: 1\r\n`).join('');

/** Header lines of a POST that must be refused, whose body is empty by one reading. */
const AMBIGUOUS_LINES: Readonly<Record<string, string>> = {
  'two lengths': 'Content-Length: 5\r\nContent-Length: 6\r\n',
  'one length twice': 'Content-Length: 5\r\nContent-Length: 5\r\n',
  'a list of lengths': 'Content-Length: 5, 5\r\n',
  'a signed length': 'Content-Length: +5\r\n',
  'a negative length': 'Content-Length: -5\r\n',
  'a hexadecimal length': 'Content-Length: 0x5\r\n',
  'length and coding': 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
  'coding and length': 'Transfer-Encoding: chunked\r\nContent-Length: 40\r\n',
  'two codings': 'Transfer-Encoding: gzip, chunked\r\n',
  'chunked twice': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n',
  'an unknown coding': 'Transfer-Encoding: xchunked\r\n',
  'the identity coding': 'Transfer-Encoding: identity\r\n',
  'a coding with a space before the colon': 'Transfer-Encoding : chunked\r\n',
  'a folded coding': 'Transfer-Encoding:\r\n chunked\r\n',
  'a coding after a vertical tab': 'Transfer-Encoding: \u000bchunked\r\n',
  'a coding with an underscore': 'Transfer_Encoding: chunked\r\nContent-Length: 5\r\n',
  'a length with an underscore': 'Content_Length: 0\r\nContent-Length: 5\r\n',
  'chunks as a content coding': 'Content-Encoding: chunked\r\nContent-Length: 5\r\n',
};
const CHUNKS = 'Transfer-Encoding: chunked\r\n';

const REFUSED: readonly (readonly [what: string, message: string, status?: number])[] = [
  ...Object.entries(AMBIGUOUS_LINES).map(
    ([what, lines]) => [what, post(lines, CHUNKED_END + HIDDEN)] as const,
  ),
  ['a bad chunk size', post(CHUNKS, `0x5\r\n12345\r\n${CHUNKED_END}`)],
  ['a chunk longer than its size', post(CHUNKS, `2\r\n12345\r\n${CHUNKED_END}`)],
  ['a coding in HTTP/1.0', post(CHUNKS, CHUNKED_END).replace('1.1', '1.0')],
  ['bare line feeds', 'GET /demo/status HTTP/1.1\nHost: a\n\n'],
  ['a NUL in a header', get('Host: a\r\nX: a\0b\r\n')],
  ['a lone CR in a header', get('Host: a\r\nX: a\rb\r\n')],
  ['a header without a name', get('Host: a\r\n: b\r\n')],
  ['no Host', get('')],
  ['no Host in HTTP/1.0', get('', '1.0')],
  ['no Host in HTTP/1.0, below a health check', get('', '1.0').replace('/demo/status', '/readyz/x')],
  ['no Host in HTTP/1.1, at a health check', get('').replace('/demo/status', '/readyz')],
  ['two Hosts at a health check', get('Host: a\r\nHost: a\r\n', '1.0').replace('/demo/status', '/readyz')],
  ['two Hosts', get('Host: a\r\nHost: b\r\n')],
  ['the same Host twice', get('Host: a\r\nhost: a\r\n')],
  ['an empty Host', get('Host:\r\n')],
  ['a Host with userinfo', get('Host: e@f\r\n')],
  ['a Host with a path', get('Host: a/b\r\n')],
  ['a list of Hosts', get('Host: a, b\r\n')],
  ['a Host with a bad port', get('Host: a:b\r\n')],
  ['more than 100 header lines', get(`Host: a\r\n${many(100)}`), 431],
  ['a head beyond the limit', get(`Host: a\r\nX: ${'a'.repeat(17_000)}\r\n`), 431],
  ['HTTP/1.2', get('Host: a\r\n', '1.2')],
  ['HTTP/0.9', 'GET /demo/status\r\n\r\n', 505],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS to a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a WebSocket', get('Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n')],
  ['an unknown expectation', get('Host: a\r\nExpect: wonders\r\n'), 417],
  ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 405],
  ['CONNECT with more bytes after it', `CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n${HIDDEN}`, 405],
  ['a bad Host with more bytes after it', get('Host: a b\r\n') + HIDDEN],
];

describe('an ambiguous request', () => {
  let testServer: HttpTestServer;
  before(async () => {
    testServer = await startHttpTestServer();
  });
  after(() => testServer.close());

  for (const [what, message, status = 400] of REFUSED)
    it(`with ${what} is refused with ${status}, and nothing else is served`, async () => {
      const received = await rawExchange(testServer.port, message);
      assert.deepEqual(statusesIn(received), [status]);
      assert.match(received, /^content-type: application\/problem\+json/im);
      assert.match(received, /^connection: close/im);
      assert.doesNotMatch(received, /smuggled/);
      const body = JSON.parse(received.split('\r\n\r\n')[1] ?? '') as Record<string, unknown>;
      assert.deepEqual([body['status'], typeof body['requestId']], [status, 'string']);
    });

  for (const [what, lines] of [
    ['a Host with a port', 'Host: example.test:8080\r\n'],
    ['an IPv6 Host', 'Host: [::1]:80\r\n'],
    ['100 header lines', `Host: a\r\n${many(98)}`],
    [
      'an offer of h2c',
      'Host: a\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n',
    ],
  ] as const)
    it(`with ${what} is accepted`, async () => {
      const received = await rawExchange(testServer.port, get(`${lines}Connection: close\r\n`));
      assert.deepEqual(statusesIn(received), [200]);
    });

  it('with an absolute target is accepted', async () => {
    const message = 'GET http://a//demo/status HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    assert.deepEqual(statusesIn(await rawExchange(testServer.port, message)), [200]);
  });

  it('does not affect an earlier pipelined request', async () => {
    const received = await rawExchange(testServer.port, `${get('Host: a\r\n')}nonsense\r\n\r\n`);
    assert.equal(statusesIn(received)[0], 200);
    assert.ok(statusesIn(received).every((status, at) => at === 0 || status === 400));
  });

  it('finding O6: does not include a health check of HTTP/1.0 without Host', async () => {
    // The test API has no such operations: 404 comes from the router, behind the checks of the head.
    for (const path of ['/readyz', '/livez', '/health/status', '/health/status?exclude-services=true'])
      for (const method of ['GET', 'HEAD']) {
        const received = await rawExchange(testServer.port, `${method} ${path} HTTP/1.0\r\n\r\n`);
        assert.deepEqual(statusesIn(received), [404], path);
      }
  });
});
