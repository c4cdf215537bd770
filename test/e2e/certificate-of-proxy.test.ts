import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { makeCertificate } from '../support/certificates.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer } from '../support/test-server.js';

const PROXY = 'spiffe://example.org/proxy';

describe('the client certificate of a trusted proxy', () => {
  it('is no credential for the calls that the proxy forwards', async () => {
    const ca = await makeCertificate({ commonName: 'clients', isCa: true });
    const [server, proxy] = [
      await makeCertificate({ ip: '127.0.0.1' }),
      await makeCertificate({ uri: PROXY, ca }),
    ];
    const statusWith = async (trustedProxies: string): Promise<number> => {
      const testServer = await startTestServer({
        folder: temporaryFolder().path,
        arrange(folder) {
          const files = { 'tls.crt': server.cert, 'clients.pem': ca.cert };
          for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
          writeFileSync(join(folder, 'tls.key'), server.key, { mode: 0o600 });
          const tls =
            'certFile: tls.crt, keyFile: tls.key, clientCaFile: clients.pem, clientCertificates: optional';
          const main = join(folder, 'gatehouse.yaml');
          const text = readFileSync(main, 'utf8')
            .replace('server: {', `server: { trustedProxies: [${trustedProxies}], tls: { ${tls} },`)
            .replace(
              'auth: { local',
              `auth: { clientCertificates: { subject: uri, roles: { "${PROXY}": admin } }, local`,
            );
          writeFileSync(main, text);
        },
      });
      const dispatcher = new Agent({ connect: { ca: server.cert, cert: proxy.cert, key: proxy.key } });
      try {
        const { statusCode, body } = await request(`${testServer.url}/whoami`, {
          dispatcher,
          headers: { 'x-forwarded-for': '192.0.2.7' },
        });
        await body.dump();
        return statusCode;
      } finally {
        await dispatcher.close();
        await testServer.close();
      }
    };
    assert.equal(await statusWith('127.0.0.1'), 401);
    // The same certificate on a connection of a client.
    assert.equal(await statusWith('192.0.2.1'), 200);
  });
});
