import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Certificate, makeCertificate } from '../../support/certificates.js';
import { createNetconfTlsDouble, type NetconfTlsDouble } from '../../support/netconf-double.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { optionsWith, startAdapter } from './adapter.js';

const MODULE = 'module a { namespace "urn:a"; prefix a; leaf x { type int8; } }';

describe('the plugin netconf over TLS', () => {
  const folder = temporaryFolder().path;
  let ca: Certificate;
  let client: Certificate;
  let server: NetconfTlsDouble;

  before(async () => {
    ca = await makeCertificate({ commonName: 'ca', isCa: true });
    client = await makeCertificate({ commonName: 'gatehouse', ca });
    const own = await makeCertificate({ ip: '127.0.0.1', ca });
    const capabilities = ['urn:ietf:params:netconf:base:1.1', 'urn:a?module=a'];
    const onOperation = () => '<data><x xmlns="urn:a">5</x></data>';
    const options = { capabilities, schemas: { a: MODULE }, onOperation };
    server = await createNetconfTlsDouble(options, { ...own, ca: ca.cert });
  });
  after(() => server.close());

  /** Starts an adapter with a CA, a certificate and its key. */
  function start(trusted: Certificate, { cert, key }: Certificate, serverName?: string) {
    const file = (name: string, text: string): string => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const tls = { caFile: file('ca.pem', trusted.cert), certFile: file('cert.pem', cert), key };
    const named = serverName === undefined ? tls : { ...tls, serverName };
    return startAdapter(optionsWith({ host: '127.0.0.1', port: server.port, tls: named, connectMs: 5000 }));
  }

  it('reads from a server, which learns the name of the client from its certificate', async () => {
    const device = await start(ca, client);
    assert.deepEqual(await device.get('/restconf/data/a:x'), { 'a:x': 5 });
    assert.deepEqual(server.clients, ['gatehouse']);
    await device.stop();
  });

  it('refuses a server that another CA signed, or that has another name', async () => {
    const other = await makeCertificate({ commonName: 'other', isCa: true });
    await assert.rejects(
      start(other, client),
      /no TLS connection to 127\.0\.0\.1:\d+: the certificate of the target .* not trusted$/,
    );
    await assert.rejects(
      start(ca, client, 'router.example'),
      /no TLS connection .*: the certificate of the target is for another host name$/,
    );
  });

  it('is refused by the server without a certificate that it knows', async () => {
    const unknown = await makeCertificate({ commonName: 'unknown' });
    await assert.rejects(start(ca, unknown), /upstream_unreachable|TLS|closed|failed/);
  });
});
