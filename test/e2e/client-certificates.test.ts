import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { type Certificate, makeCertificate } from '../support/certificates.js';
import { extendMainFile } from '../support/main-file.js';
import { assertMembers } from '../support/members.js';
import { OPENSSL } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { pageFolderIn } from '../support/page-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

const CI = 'spiffe://example.org/ci';
const QUERY = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

const ACTION = {
  params: { ...QUERY.params, method: 'patch', contentType: 'application/yang-data+json' },
  body: {},
};

/** Makes certificates of one authority, one of another, and the list of the revoked one. */
async function makeCertificates() {
  const ca = await makeCertificate({ commonName: 'clients', isCa: true });
  const client = (uri: string) => makeCertificate({ uri, commonName: 'client', ca });
  const revoked = await client('spiffe://example.org/revoked');
  return {
    server: await makeCertificate({ ip: '127.0.0.1' }),
    ca,
    revocationList: makeRevocationList(ca, revoked),
    ci: await client(CI),
    unknown: await client('spiffe://example.org/unknown'),
    revoked,
    foreign: await makeCertificate({ uri: CI, commonName: 'foreign' }),
  };
}

/** Makes a revocation list with one certificate. */
function makeRevocationList(authority: Certificate, revoked: Certificate): string {
  const folder = temporaryFolder().path;
  const files = {
    'ca.pem': authority.cert,
    'ca.key': authority.key,
    'revoked.pem': revoked.cert,
    'index.txt': '',
    crlnumber: '01',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(
    join(folder, 'ca.cnf'),
    '[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\ncrlnumber=crlnumber\ndefault_md=sha256\n',
  );
  const ca = (...more: readonly string[]) => {
    const common = ['ca', '-config', 'ca.cnf', '-cert', 'ca.pem', '-keyfile', 'ca.key'];
    execFileSync('openssl', [...common, ...more], { cwd: folder, stdio: 'ignore' });
  };
  ca('-revoke', 'revoked.pem');
  ca('-gencrl', '-crldays', '30', '-out', 'crl.pem');
  return readFileSync(join(folder, 'crl.pem'), 'utf8');
}

interface Sent {
  readonly certificate?: Certificate;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

describeWith(OPENSSL, 'client certificates', function () {
  this.timeout(90_000);
  let certificates: Awaited<ReturnType<typeof makeCertificates>>;
  before(async () => {
    certificates = await makeCertificates();
  });

  for (const [mode, workers, trustedProxy] of [
    ['optional', 2, '192.0.2.1'],
    ['required', 1, '192.0.2.1'],
    ['optional', 1, '127.0.0.1'],
  ] as const)
    describe(`${mode}, with ${workers} processes`, () => {
      let testServer: TestServer;
      before(async () => {
        const { server, ca, revocationList } = certificates;
        const folder = temporaryFolder().path;
        testServer = await startTestServer({
          folder,
          pageFolder: pageFolderIn(folder),
          arrange(at) {
            const files = { 'tls.crt': server.cert, 'clients.pem': ca.cert, 'clients.crl': revocationList };
            for (const [name, text] of Object.entries(files)) writeFileSync(join(at, name), text);
            writeFileSync(join(at, 'tls.key'), server.key, { mode: 0o600 });
            const tls = `certFile: tls.crt, keyFile: tls.key, clientCaFile: clients.pem, clientCrlFile: clients.crl, clientCertificates: ${mode}`;
            extendMainFile(at, {
              server: `workers: ${workers}, trustedProxies: [${trustedProxy}], tls: { ${tls} }`,
              auth: `clientCertificates: { subject: uri, roles: { "${CI}": admin } }`,
            });
          },
        });
      });
      after(() => testServer.close());

      const call = async (path: string, { certificate, token, headers, body }: Sent = {}) => {
        const dispatcher = new Agent({ connect: { ca: certificates.server.cert, ...certificate } });
        try {
          const reply = await request(testServer.url + path, {
            method: body === undefined ? 'GET' : 'POST',
            headers: {
              ...(token !== undefined && { authorization: `Bearer ${token}` }),
              ...(body !== undefined && { 'content-type': 'application/json' }),
              ...headers,
            },
            body: body === undefined ? null : JSON.stringify(body),
            dispatcher,
          });
          return { status: reply.statusCode, text: await reply.body.text() };
        } finally {
          await dispatcher.close();
        }
      };
      const query = (sent: Sent) => call('/orchestrator_manager/restQuery/core1', { body: QUERY, ...sent });
      if (trustedProxy === '127.0.0.1') {
        it('of a trusted proxy are no credential for the calls that the proxy forwards', async () => {
          const headers = { 'x-forwarded-for': '192.0.2.7' };
          assert.equal((await query({ certificate: certificates.ci, headers })).status, 401);
        });
        return;
      }

      it('authenticate a caller without a token, with the roles of its subject', async () => {
        // Several connections, so that each of several processes serves one.
        for (let count = 0; count < 3; count += 1)
          assert.equal((await query({ certificate: certificates.ci })).status, 200);
        const { text: caller } = await call('/whoami', { certificate: certificates.ci });
        assertMembers(JSON.parse(caller), { provenance: 'client-certificate', subject: CI });
        const { status, text } = await query({ certificate: certificates.unknown });
        assert.equal(status, 403);
        assert.match(text, /The client certificate has these roles: \(none\)/);
      });

      it('name the caller in the audit record by issuer and subject', async () => {
        const action = { certificate: certificates.ci, body: ACTION };
        assert.equal((await call('/orchestrator_manager/restAction/core1', action)).status, 200);
        const token = testServer.issueToken('admin');
        const { text } = await call('/audit?operation=orchestrator-manager.restAction', {
          token,
          certificate: certificates.ci,
        });
        const { results } = JSON.parse(text) as { results: readonly object[] };
        assertMembers(results[0], { subject: CI, issuer: 'client-certificate' });
      });

      if (mode === 'optional') {
        it('are not needed for health checks, pages and callers with a token', async () => {
          for (const path of ['/readyz', '/health/status', '/ui/'])
            assert.equal((await call(path)).status, 200, path);
          assert.equal((await query({})).status, 401);
          assert.equal((await query({ token: testServer.issueToken('admin') })).status, 200);
        });

        it('prove nothing if they come from another authority or are revoked; the log has the reason', async () => {
          for (const certificate of [certificates.foreign, certificates.revoked]) {
            assert.equal((await query({ certificate })).status, 401);
            assert.equal((await call('/readyz', { certificate })).status, 200);
          }
          await eventually(() => {
            const log = testServer.logLines.join('');
            assert.match(log, /the client certificate is not accepted: (?!CERT_REVOKED)[A-Z_]+/);
            assert.match(log, /the client certificate is not accepted: CERT_REVOKED/);
            return Promise.resolve();
          });
        });
      } else {
        it('are needed for a connection; the log has the reason of a refusal', async () => {
          for (const certificate of [undefined, certificates.foreign, certificates.revoked])
            await assert.rejects(call('/readyz', certificate && { certificate }));
          assert.equal((await call('/readyz', { certificate: certificates.unknown })).status, 200);
          const log = testServer.logLines.join('');
          assert.match(log, /connection refused: client certificate not accepted/);
          assert.match(log, /the client presented no certificate/);
        });
      }
    });
});
