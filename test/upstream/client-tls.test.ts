import assert from 'node:assert/strict';
import { createServer as createTlsServer } from 'node:https';
import type { HttpReply, TlsMaterial } from '../../src/core/http.js';
import { Secret } from '../../src/core/secret.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { makeCertificate, type Certificate } from '../support/certificates.js';
import { problem } from '../support/failing.js';
import { type Script, startHostileUpstream } from '../support/hostile-upstream.js';
import { listenOnLoopback } from '../support/loopback.js';
import { openedBySuite } from '../support/opened.js';

const isUnreachable = (message: RegExp) => problem('upstream_unreachable', message);

async function sendWith(tls: TlsMaterial, url: string): Promise<HttpReply> {
  const client = openHttpClient({ tls });
  try {
    return await client.send({ method: 'GET', url, headers: {} }, { totalMs: 5_000, replyBytes: 1_000 });
  } finally {
    await client.close();
  }
}

describe('the HTTP client over TLS', () => {
  let certificate: Certificate;
  let expired: Certificate;
  const opened = openedBySuite();

  async function secureOrigin(of: Certificate, options: object = {}): Promise<string> {
    const server = createTlsServer({ ...of, ...options }, (request, response) => {
      const peer = request.socket as { getPeerCertificate?: () => { subject?: { CN?: string } } };
      response.end(peer.getPeerCertificate?.().subject?.CN ?? 'nobody');
    });
    return `https://${(await opened(listenOnLoopback(server))).host}`;
  }

  before(async () => {
    certificate = await makeCertificate({ ip: '127.0.0.1', dns: 'nso.example' });
    expired = await makeCertificate({ ip: '127.0.0.1', notAfter: new Date(Date.now() - 3_600_000) });
  });

  it('trusts the configured CA, by address and by server name', async () => {
    const origin = await secureOrigin(certificate);
    assert.equal((await sendWith({ ca: certificate.cert }, origin)).status, 200);
    assert.equal((await sendWith({ ca: certificate.cert, serverName: 'nso.example' }, origin)).status, 200);
  });

  it('refuses an untrusted, misnamed or expired certificate, and names the reason', async () => {
    const origin = await secureOrigin(certificate);
    await assert.rejects(sendWith({}, origin), isUnreachable(/self-signed and not trusted/));
    const misnamed = { ca: certificate.cert, serverName: 'other.example' };
    await assert.rejects(sendWith(misnamed, origin), isUnreachable(/for another host name/));
    const old = sendWith({ ca: expired.cert }, await secureOrigin(expired));
    await assert.rejects(old, isUnreachable(/has expired/));
    assert.equal((await sendWith({ insecure: true }, origin)).status, 200);
  });

  it('refuses TLS 1.1 and a target without TLS', async () => {
    const versions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    const old = sendWith({ ca: certificate.cert }, await secureOrigin(certificate, versions));
    await assert.rejects(old, isUnreachable(/TLS handshake with the target failed/));
    const refuse: Script = (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
    const plain = await opened(startHostileUpstream([refuse]));
    const call = sendWith({}, plain.origin.replace('http:', 'https:'));
    await assert.rejects(call, isUnreachable(/does not speak TLS|TLS handshake/));
  });

  it('presents its certificate when the server requests a client certificate', async () => {
    const own = await makeCertificate({ dns: 'gatehouse.example' });
    const origin = await secureOrigin(certificate, { requestCert: true, rejectUnauthorized: false });
    const tls = { ca: certificate.cert, cert: own.cert, key: new Secret(own.key) };
    assert.equal((await sendWith(tls, origin)).body.toString(), 'gatehouse.example');
  });
});
