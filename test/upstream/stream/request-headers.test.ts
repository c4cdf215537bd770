import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { HeaderLines } from '../../../src/core/stream.js';
import { requestHeaders } from '../../../src/upstream/stream/request-headers.js';
import { streamRequest } from '../../support/stream-request.js';

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';
const ADDITIONS = {
  host: 'nso.test:8888',
  credentialHeaders: new Set(['authorization', 'cookie', 'x-auth-token']),
  credentials: { 'x-auth-token': 'of-the-adapter' },
};
const OUR_HEADERS = {
  forwarded: 'for=192.0.2.7;host="gatehouse.test";proto=https',
  host: 'nso.test:8888',
  'x-auth-token': 'of-the-adapter',
  'x-forwarded-for': '192.0.2.7',
  'x-forwarded-host': 'gatehouse.test',
  'x-forwarded-prefix': '/proxy/core1',
  'x-forwarded-proto': 'https',
  'x-request-id': 'r-1',
};
const OURS = Object.keys(OUR_HEADERS);

const sent = (headers: HeaderLines, isUpgrade = false) =>
  requestHeaders(streamRequest({ headers, isUpgrade }), ADDITIONS);

describe('the headers of a passed-on request', () => {
  it('are those of the caller, with repeated names', () => {
    const headers = sent([
      ['Accept', 'text/plain'],
      ['X-Thing', 'a'],
      ['x-thing', 'b'],
      ['Range', 'bytes=0-1'],
    ]);
    const { accept, 'x-thing': thing, range } = headers;
    assert.deepEqual([accept, thing, range], ['text/plain', ['a', 'b'], 'bytes=0-1']);
  });

  it('describe the origin of the request with values of the gateway only', () => {
    const headers = sent([
      ['X-Forwarded-For', '10.0.0.1'],
      ['Forwarded', 'for=10.0.0.1'],
      ['X-Real-IP', '10.0.0.1'],
      ['Host', 'evil.test'],
    ]);
    assert.deepEqual({ ...headers }, OUR_HEADERS);
  });

  it('exclude what concerns the connection or the gateway', () => {
    for (const [name, value] of [
      ['Authorization', `Bearer ${TOKEN}`],
      ['authorization', 'Basic eDp5'],
      ['Cookie', 'a=b'],
      ['Proxy-Authorization', 'Basic eDp5'],
      ['X-Auth-Token', 'forged'],
      ['X_Auth_Token', 'forged'],
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '5'],
      ['Transfer_Encoding', 'chunked'],
      ['Keep-Alive', 'timeout=5'],
      ['TE', 'trailers'],
      ['Trailer', 'X-Sum'],
      ['Expect', '100-continue'],
      ['Upgrade', 'h2c'],
      ['HTTP2-Settings', 'AAM'],
      ['Sec-WebSocket-Key', 'x'],
      ['X-HTTP-Method-Override', 'DELETE'],
      ['X-Original-URL', '/admin'],
      ['X-Rewrite-URL', '/admin'],
      ['X-Remote-User', 'root'],
      ['Remote-User', 'root'],
      ['X-SSL-Client-DN', 'CN=root'],
      ['SSL-Client-Verify', 'SUCCESS'],
      ['True-Client-IP', '10.0.0.1'],
      ['CF-Connecting-IP', '10.0.0.1'],
      ['X-Forwarded-User', 'root'],
      ['X-Auth-Request-Email', 'a@b.example'],
      ['__proto__', 'x'],
    ] as const)
      assert.deepEqual(Object.keys(sent([[name, value]])).sort(), OURS, name);
  });

  it('exclude the names in Connection, but no header of the gateway', () => {
    const headers = sent([
      ['Connection', 'close, X-Secret'],
      ['connection', 'x-auth-token,x-forwarded-for , host'],
      ['X-Secret', 'for the proxy'],
    ]);
    assert.deepEqual(Object.keys(headers).sort(), OURS);
  });

  it('exclude the token of the caller under any name', () => {
    const headers = sent([
      ['Authorization', `Bearer ${TOKEN}`],
      ['X-Api-Key', TOKEN],
      ['Sec-WebSocket-Protocol', `chat, bearer.${TOKEN}`],
    ], true); // prettier-ignore
    assert.ok(!JSON.stringify(headers).includes(TOKEN));
  });

  it('request a WebSocket if the caller does', () => {
    const headers = sent([['Sec-WebSocket-Key', 'key'], ['Sec-WebSocket-Version', '13']], true); // prettier-ignore
    const names = ['connection', 'upgrade', 'sec-websocket-key', 'sec-websocket-version'];
    assert.deepEqual(
      names.map((name) => headers[name]),
      ['Upgrade', 'websocket', 'key', '13'],
    );
  });

  it('carry the fixed headers of the adapter instead of the headers of the caller', () => {
    const request = streamRequest({
      headers: [
        ['X-Tenant', 'red'],
        ['X-TENANT', 'green'],
        ['X-Auth-Token', 'forged'],
        ['X-Other', 'a'],
      ],
    });
    const fixedHeaders = { 'x-tenant': 'blue', 'x-auth-token': 'fixed' };
    const headers = requestHeaders({ ...request, fixedHeaders }, ADDITIONS);
    assert.deepEqual(
      [headers['x-tenant'], headers['x-auth-token'], headers['x-other']],
      ['blue', 'of-the-adapter', 'a'],
    );
  });

  it('contain each header of the gateway exactly once, whatever the caller sends', () => {
    const name = fc.constantFrom(...OURS, 'authorization', 'cookie', 'connection', 'te', 'x-a');
    const cased = fc.tuple(name, fc.boolean()).map(([text, up]) => (up ? text.toUpperCase() : text));
    fc.assert(
      fc.property(fc.array(fc.tuple(cased, fc.constantFrom('a', 'x-a', 'host, te', 'evil'))), (lines) => {
        const headers = sent(lines);
        for (const own of OURS) assert.equal(typeof headers[own], 'string');
        assert.equal(headers['host'], 'nso.test:8888');
        assert.equal(headers['x-auth-token'], 'of-the-adapter');
        for (const gone of ['authorization', 'cookie', 'connection', 'te'])
          assert.equal(headers[gone], undefined);
      }),
    );
  });
});
