import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseAddress } from '../../src/http/client-address.js';
import { parseProxyHeader } from '../../src/http/proxy-protocol.js';
import { proxyHeaderV1, proxyHeaderV2, rawHeaderV2 } from '../support/proxy-header.js';

const REQUEST = Buffer.from('GET / HTTP/1.1\r\n\r\n');
const VERSIONS = [proxyHeaderV1, proxyHeaderV2] as const;

/** Returns the state of a header, and its reason or source. */
function outcomeOf(bytes: Buffer | string, accepts: 'v1' | 'v2' | 'any' = 'any'): string {
  const header = parseProxyHeader(Buffer.from(bytes as string, 'latin1'), accepts);
  if (header.state === 'invalid') return header.reason;
  return header.state === 'complete' ? (header.source ?? 'no source') : header.state;
}

describe('parseProxyHeader', () => {
  it('reads the source of IPv4 and IPv6 in both versions, and leaves the bytes after the header', () => {
    for (const source of ['203.0.113.9', '2001:db8::17'])
      for (const create of VERSIONS) {
        const header = create(source);
        const parsed = parseProxyHeader(Buffer.concat([header, REQUEST]), 'any');
        assert.deepEqual(parsed, { state: 'complete', length: header.length, source });
      }
  });

  it('waits for the rest of a header that arrives in any pieces', () => {
    for (const create of VERSIONS) {
      const header = create('203.0.113.9');
      for (let length = 0; length < header.length; length += 1)
        assert.equal(outcomeOf(header.subarray(0, length)), 'incomplete', String(length));
    }
  });

  it('reads every address in every spelling', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.uint8Array({ maxLength: 200 }), (address, additions) => {
        const source = parseAddress(address);
        assert.equal(outcomeOf(proxyHeaderV1(address)), source);
        assert.equal(outcomeOf(proxyHeaderV2(address, Buffer.from(additions))), source);
      }),
    );
  });

  it('decides on any 2048 bytes, and names only IP addresses', () => {
    const starts = fc.constantFrom(
      '',
      'PROXY ',
      'PROXY TCP4 ',
      '\r\n\r\n\0\r\nQUIT\n',
      '\r\n\r\n\0\r\nQUIT\n!\u0011\0\f',
    );
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 300 }), (start, rest) => {
        const bytes = Buffer.concat([Buffer.from(start, 'latin1'), rest]);
        const parsed = parseProxyHeader(bytes, 'any');
        if (parsed.state === 'complete') {
          assert.ok(parsed.length <= bytes.length);
          if (parsed.source !== undefined) assert.equal(parseAddress(parsed.source), parsed.source);
        }
        const filled = Buffer.concat([bytes, Buffer.alloc(2048, 0x20)]);
        assert.notEqual(parseProxyHeader(filled, 'any').state, 'incomplete');
      }),
    );
  });

  it('has no source for a proxy that speaks for itself, and for other families', () => {
    const addresses = Buffer.alloc(12, 1);
    for (const header of [
      'PROXY UNKNOWN\r\n',
      'PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n',
      rawHeaderV2({ versionAndCommand: 0x20, addresses }),
      rawHeaderV2({ versionAndCommand: 0x20, addresses: Buffer.alloc(0) }),
    ])
      assert.equal(outcomeOf(header), 'no source');
    for (const familyAndProtocol of [0x00, 0x12, 0x22, 0x31])
      assert.equal(outcomeOf(rawHeaderV2({ familyAndProtocol, addresses })), 'no source');
  });

  it('refuses a version that the listener does not accept, at the first byte', () => {
    assert.match(outcomeOf('P', 'v2'), /does not start with a PROXY header of v2/);
    assert.match(outcomeOf('\r', 'v1'), /does not start with a PROXY header of v1/);
    for (const start of ['G', 'PROXX', '\r\n\r\n\r', '\u0016\u0003\u0001'])
      assert.match(outcomeOf(start), /does not start with a PROXY header$/);
  });

  it('refuses malformed headers of version 1', () => {
    for (const line of [
      'PROXY TCP4 203.0.113.9 192.0.2.1 1\r\n',
      'PROXY TCP4 2001:db8::1 192.0.2.1 1 2\r\n',
      'PROXY TCP6 203.0.113.9 192.0.2.1 1 2\r\n',
      'PROXY TCP4 203.0.113.9 192.0.2.1 1 65536\r\n',
      'PROXY TCP4 203.0.113.9 192.0.2.1 01 2\r\n',
      'PROXY TCP4  203.0.113.9 192.0.2.1 1 2\r\n',
      'PROXY TCP4 203.0.113.9 192.0.2.1 1 2 \r\n',
      'PROXY TCP4 203.0.113.999 192.0.2.1 1 2\r\n',
      'PROXY UDP4 203.0.113.9 192.0.2.1 1 2\r\n',
      'PROXY UNKNOWNS\r\n',
    ])
      assert.match(outcomeOf(line), /not well-formed/, line);
    assert.match(outcomeOf(`PROXY UNKNOWN ${'a'.repeat(93)}`), /no line end/);
    assert.equal(outcomeOf(`PROXY UNKNOWN ${'a'.repeat(92)}`), 'incomplete');
  });

  it('refuses malformed and oversized headers of version 2 before their addresses arrive', () => {
    const addresses = Buffer.alloc(0);
    for (const [header, reason] of [
      [{ versionAndCommand: 0x11, length: 12 }, /unknown version or command/],
      [{ versionAndCommand: 0x22, length: 12 }, /unknown version or command/],
      [{ length: 11 }, /too short/],
      [{ familyAndProtocol: 0x21, length: 35 }, /too short/],
      [{ length: 2033 }, /longer than 2048 bytes/],
    ] as const)
      assert.match(outcomeOf(rawHeaderV2({ ...header, addresses })), reason);
    assert.equal(outcomeOf(rawHeaderV2({ addresses, length: 2032 })), 'incomplete');
  });
});
