import assert from 'node:assert/strict';
import {
  isUntrustedCertificate,
  nameFailure,
  namingHop,
  namingPeer,
  proxyFailure,
  transportFailureOf,
} from '../../src/core/transport-failure.js';

const coded = (code: string, message = 'any'): Error => Object.assign(new Error(message), { code });
const failing = (syscall: string, code: string): Error => Object.assign(coded(code), { syscall });

describe('the words for a failed connection', () => {
  it('name the hop: name, address and port, or TLS', () => {
    for (const [error, hop, words] of [
      [coded('ENOTFOUND'), 'name', 'the host name of Vault is not known'],
      [coded('EAI_AGAIN'), 'name', 'the name server does not answer'],
      [failing('getaddrinfo', 'EUNKNOWN'), 'name', 'the name server failed (EUNKNOWN)'],
      [coded('ECONNREFUSED'), 'address', 'Vault refuses connections on this port'],
      [failing('connect', 'ENETDOWN'), 'address', 'the connection to Vault failed (ENETDOWN)'],
      [coded('CERT_HAS_EXPIRED'), 'tls', 'the certificate of Vault has expired'],
      [coded('ERR_TLS_X'), 'tls', 'the TLS handshake with Vault failed (ERR_TLS_X)'],
    ] as const) {
      const found = transportFailureOf(error, 'Vault');
      assert.deepEqual([found?.hop, found?.words], [hop, words]);
    }
    assert.equal(transportFailureOf(new Error('a bug')), undefined);
    assert.equal(transportFailureOf(coded('ENOTFOUND'))?.words, 'the host name is not known');
  });

  it('are found by the message of a library that replaces the code, and by the first of several addresses', () => {
    for (const [message, code] of [
      ['connect ECONNREFUSED 10.0.0.5:25', 'ECONNREFUSED'],
      ['getaddrinfo ENOTFOUND mail.invalid', 'ENOTFOUND'],
      ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
      ['self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN'],
      ['unable to verify the first certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
      ["Hostname/IP does not match certificate's altnames: x", 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ] as const)
      assert.equal(transportFailureOf(coded('ESOCKET', message))?.code, code, message);
    const both = new AggregateError([coded('ECONNREFUSED'), coded('EHOSTUNREACH')]);
    assert.equal(transportFailureOf(both)?.code, 'ECONNREFUSED');
  });

  it('are in the error of a receiver or of a database, with the code once', () => {
    const refused = coded('ECONNREFUSED', 'connect ECONNREFUSED');
    for (const [error, message] of [
      [refused, 'its server refuses connections on this port (ECONNREFUSED)'],
      [failing('write', 'EPIPE'), 'the connection to its server failed (EPIPE)'],
    ] as const)
      assert.equal((namingHop(error, 'its server') as Error).message, message);
    const bug = new Error('a bug');
    assert.equal(namingHop(bug, 'its server'), bug);
  });

  it('say that the proxy failed, and not the target', () => {
    const found = proxyFailure(coded('ENOTFOUND'));
    const words = 'the host name of the proxy is not known, so the target is unreachable';
    assert.deepEqual([found?.hop, found?.words], ['proxy', words]);
    assert.equal(namingPeer(words, 'Vault'), words.replace('the target', 'Vault'));
    assert.equal(proxyFailure(new Error('a bug')), undefined);
  });

  it('name the peer, the failure of a resolver, and a certificate that is not trusted', () => {
    assert.equal(namingPeer('the host name is not known', 'edge1'), 'the host name of edge1 is not known');
    assert.equal(nameFailure('ENODATA').words, 'the host name is not known');
    assert.equal(nameFailure('ETIMEOUT').words, 'the name server does not answer');
    assert.equal(nameFailure('ESERVFAIL').words, 'the name server failed (ESERVFAIL)');
    const { words = '' } = transportFailureOf(coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'mail.example:465') ?? {};
    assert.deepEqual([isUntrustedCertificate(words), isUntrustedCertificate('any')], [true, false]);
  });
});
