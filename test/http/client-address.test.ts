import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { callerOrigin, readProxyHeaders } from '../../src/http/caller-origin.js';
import { clientAddress, createTrustedProxies, parseAddress } from '../../src/http/client-address.js';

type Headers = Readonly<Record<string, string>>;

function requestOf(remoteAddress: string, headers: Headers = {}): IncomingMessage {
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

const isTrusted = createTrustedProxies(['10.0.0.0/8', '192.0.2.7', '2001:db8:1::/48']);

function addressOf(peer: string, forwardedFor?: string): string {
  return clientAddress(
    requestOf(peer, forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
    isTrusted,
  );
}

describe('clientAddress', () => {
  it('is the peer of the connection without a trusted proxy, whatever the header says', () => {
    assert.equal(addressOf('198.51.100.9', '203.0.113.1'), '198.51.100.9');
    assert.equal(addressOf('198.51.100.9'), '198.51.100.9');
    assert.equal(addressOf('192.0.2.8', '203.0.113.1'), '192.0.2.8');
  });

  it('is the last address of the header that is not a trusted proxy', () => {
    assert.equal(addressOf('10.1.1.1', '203.0.113.1'), '203.0.113.1');
    assert.equal(addressOf('10.1.1.1', '198.51.100.66, 203.0.113.1'), '203.0.113.1');
    assert.equal(addressOf('192.0.2.7', '198.51.100.66, 203.0.113.1, 10.2.2.2'), '203.0.113.1');
    assert.equal(addressOf('2001:db8:1::5', '2001:db8:2::9'), '2001:db8:2::9');
  });

  it('is found through ten trusted proxies', () => {
    const proxies = Array.from({ length: 9 }, (_, at) => `10.0.0.${at + 1}`);
    assert.equal(addressOf('10.0.0.10', ['203.0.113.1', ...proxies].join(', ')), '203.0.113.1');
    assert.equal(addressOf('10.0.0.10', ['6.6.6.6', '203.0.113.1', ...proxies].join(',')), '203.0.113.1');
  });

  it('is the first address if all are trusted proxies, and the peer without a header', () => {
    assert.equal(addressOf('10.0.0.2', '10.0.0.9, 10.0.0.8'), '10.0.0.9');
    assert.equal(addressOf('10.0.0.2'), '10.0.0.2');
  });

  it('is the nearest address to an entry that is not an address', () => {
    for (const garbage of ['unknown', '_hidden', 'localhost', '999.1.1.1', '<script>', '1.2.3.4.5', '-'])
      for (const header of [garbage, `203.0.113.1, ${garbage}`])
        assert.equal(addressOf('10.0.0.2', header), '10.0.0.2', header);
    assert.equal(addressOf('10.0.0.2', '203.0.113.1, unknown, 10.0.0.3'), '10.0.0.3');
  });

  it('ignores empty elements of the list (RFC 9110 section 5.6.1.2)', () => {
    assert.equal(addressOf('10.0.0.2', ''), '10.0.0.2');
    assert.equal(addressOf('10.0.0.2', '203.0.113.1, '), '203.0.113.1');
  });

  it('has one spelling: without port and brackets, IPv4 in IPv6 as IPv4, IPv6 in short form', () => {
    assert.equal(addressOf('10.0.0.2', '203.0.113.1:4711'), '203.0.113.1');
    assert.equal(addressOf('10.0.0.2', '[2001:DB8:0:0::1]:4711'), '2001:db8::1');
    assert.equal(addressOf('10.0.0.2', '2001:0db8:0:0:0:0:0:1'), '2001:db8::1');
    assert.equal(addressOf('::ffff:10.0.0.2', '::ffff:203.0.113.1'), '203.0.113.1');
    assert.equal(addressOf('::ffff:198.51.100.9'), '198.51.100.9');
  });

  it('takes a trusted proxy with a port, or with IPv4 in IPv6, for this proxy', () => {
    assert.equal(addressOf('10.0.0.2', '203.0.113.1, ::ffff:10.0.0.9, 10.0.0.8:80'), '203.0.113.1');
  });

  it('is always the peer or an IP address, and never one that only the client wrote', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), { maxLength: 20 }), (entries) => {
        const written = addressOf('10.0.0.2', entries.join(','));
        assert.equal(parseAddress(written), written);
        assert.equal(addressOf('10.0.0.2', [...entries, '203.0.113.1'].join(',')), '203.0.113.1');
        assert.equal(addressOf('198.51.100.9', entries.join(',')), '198.51.100.9');
      }),
    );
  });
});

describe('createTrustedProxies', () => {
  it('throws for an entry that is neither an address nor a network', () => {
    for (const entry of ['10.0.0.0/33', '10.0.0.0/0', '::/0', '2001:db8::/129', '1.2.3', 'lb.example', ''])
      assert.throws(() => createTrustedProxies([entry]), TypeError, entry);
  });

  it('trusts nobody without entries', () => {
    assert.equal(createTrustedProxies([])('127.0.0.1'), false);
  });
});

describe('readProxyHeaders', () => {
  const schemeOf = (peer: string, headers: Headers): string => {
    const req = requestOf(peer, headers);
    readProxyHeaders(req, isTrusted);
    return callerOrigin(req).scheme;
  };

  it('takes the scheme of a trusted proxy only', () => {
    assert.equal(schemeOf('10.0.0.2', { 'x-forwarded-proto': 'https' }), 'https');
    assert.equal(schemeOf('10.0.0.2', { 'x-forwarded-proto': 'HTTPS, http' }), 'https');
    assert.equal(schemeOf('10.0.0.2', { 'x-forwarded-proto': 'wss' }), 'https');
    assert.equal(schemeOf('198.51.100.9', { 'x-forwarded-proto': 'https' }), 'http');
  });

  it('ignores a scheme that it does not know', () => {
    for (const proto of ['', 'ftp', '__proto__', 'https\u0000'])
      assert.equal(schemeOf('10.0.0.2', { 'x-forwarded-proto': proto }), 'http');
  });

  it('ignores Forwarded and other headers about the client', () => {
    const headers = { forwarded: 'for=203.0.113.1;proto=https', 'x-real-ip': '203.0.113.1' };
    const req = requestOf('10.0.0.2', headers);
    readProxyHeaders(req, isTrusted);
    assert.deepEqual(callerOrigin(req), { address: '10.0.0.2', scheme: 'http' });
  });
});
