import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { Agent, request } from 'undici';
import { systemScheduler } from '../../src/lib/clock.js';
import { type Certificate, makeCertificate } from '../support/certificates.js';
import { extendMainFile } from '../support/main-file.js';
import { assertMembers } from '../support/members.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

const DAY_MS = 86_400_000;
const LONG_AGO = new Date(Date.UTC(2021, 0, 1));
const QUERY = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

const ISSUER =
  '{ issuer: "https://idp.example", audience: a, algorithms: [RS256], jwksUri: "https://127.0.0.1:9/jwks", caFile: idp-ca.pem }';

const newPair = () => makeCertificate({ ip: '127.0.0.1' });
const serialOf = ({ cert }: Certificate): string => new X509Certificate(cert).serialNumber;

function writePair(folder: string, { cert, key }: Certificate): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key, { mode: 0o600 });
}

describe('certificates in use, with two processes', function () {
  this.timeout(120_000);
  const { path: folder } = temporaryFolder();
  const orchestratorCa = join(folder, 'orchestrator-ca.pem');
  const issuerCa = join(folder, 'idp-ca.pem');
  const mount = join(folder, 'tls');
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  let testServer: TestServer;
  let pair: Certificate;

  before(async () => {
    pair = await newPair();
    const idp = await makeCertificate({ dns: 'idp.example' });
    testServer = await startTestServer({
      folder,
      arrange(at) {
        // As Kubernetes mounts a secret.
        writePair(join(mount, '..2026_1'), pair);
        symlinkSync('..2026_1', join(mount, '..data'));
        for (const name of ['tls.crt', 'tls.key']) symlinkSync(join('..data', name), join(mount, name));
        writeFileSync(issuerCa, idp.cert);
        extendMainFile(at, {
          server: 'workers: 2, tls: { certFile: tls/tls.crt, keyFile: tls/tls.key }',
          auth: `issuers: [${ISSUER}]`,
        });
      },
    });
  });
  after(async () => {
    await dispatcher.close();
    await testServer.close();
  });

  const ask = async (path: string, body?: object): Promise<string> => {
    const reply = await request(testServer.url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${testServer.issueToken('admin')}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
      dispatcher,
    });
    const text = await reply.body.text();
    assert.equal(reply.statusCode, 200, text);
    return text;
  };
  const assertCalls = () => ask('/orchestrator_manager/restQuery/core1', QUERY);
  const logged = (pattern: RegExp) =>
    eventually(() => {
      assert.match(testServer.logLines.join(''), pattern);
      return Promise.resolve();
    });
  // A refusal is logged before the configuration that contains it is live.
  const assertMetric = (line: string) =>
    eventually(async () => {
      assert.ok((await ask('/metrics')).includes(`${line}\n`), line);
    });
  const refused = (labels: string, value: 0 | 1) =>
    assertMetric(`gatehouse_tls_certificate_refused{${labels}} ${value}`);

  const openTls = (): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const port = Number(new URL(testServer.url).port);
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket);
      });
      socket.on('error', reject);
    });
  /** Asserts that new connections, which the processes have in turn, receive the certificate. */
  const assertServed = (certificate: Certificate) =>
    eventually(async () => {
      for (let count = 0; count < 4; count += 1) {
        const socket = await openTls();
        const { serialNumber } = socket.getPeerCertificate();
        socket.destroy();
        assert.equal(serialNumber, serialOf(certificate));
      }
    });

  describe('finding 7: of the listener are replaced', () => {
    const replaceFile = (name: string, text: string): void => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      renameSync(join(folder, name), join(mount, name));
    };

    it('after the swap of the link of a mounted secret', async () => {
      await assertServed(pair);
      pair = await newPair();
      writePair(join(mount, '..2026_2'), pair);
      symlinkSync('..2026_2', join(mount, '..data_tmp'));
      renameSync(join(mount, '..data_tmp'), join(mount, '..data'));
      await assertServed(pair);
    });

    it('after both files are written, without ending a connection', async () => {
      const next = await newPair();
      replaceFile('tls.crt', next.cert);
      await logged(/certificate of the listener not replaced.*does not belong to the certificate/);
      await assertServed(pair);
      await refused('use="server",name=""', 1);
      const open = await openTls();
      replaceFile('tls.key', next.key);
      await assertServed(next);
      pair = next;
      const lines = testServer.logLines.join('').split('\n');
      const line = lines.find((text) => text.includes(serialOf(next))) ?? '';
      assertMembers(JSON.parse(line), {
        message: /certificate replaced/,
        use: 'server',
        subject: 'CN=127.0.0.1',
        file: join(mount, 'tls.crt'),
      });
      // The connection from before the replacement is still served.
      open.write('GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n');
      const chunks = await open.toArray();
      assert.match(Buffer.concat(chunks as Buffer[]).toString(), /^HTTP\/1\.1 200 /);
      await refused('use="server",name=""', 0);
      const expiry =
        'gatehouse_tls_certificate_expiry_timestamp_seconds{use="server",name="",setting="certFile"}';
      await assertMetric(`${expiry} ${Date.UTC(2040, 0, 1) / 1000}`);
      assert.doesNotMatch(testServer.logLines.join(''), /PRIVATE KEY/);
    });

    it('unless the next one has expired', async () => {
      writePair(mount, await makeCertificate({ ip: '127.0.0.1', notAfter: LONG_AGO }));
      await logged(/certificate of the listener not replaced.*expired on 2021-01-01T00:00:00Z/);
      await assertServed(pair);
      writePair(mount, pair);
      await refused('use="server",name=""', 0);
    });
  });

  it('of an adapter are replaced when its file changes, and stay while the file is unusable', async () => {
    const adapter = 'use="adapter",name="core1"';
    const former = readFileSync(orchestratorCa, 'utf8');
    writeFileSync(orchestratorCa, 'no certificate');
    await logged(/adapter not replaced.*tls at \/tls\/caFile/);
    await refused(adapter, 1);
    await assertCalls();
    const { cert } = await makeCertificate({ dns: 'next.example', isCa: true });
    writeFileSync(orchestratorCa, `${cert}\n${former}`);
    await logged(/certificate replaced.*"name":"core1".*CN=next\.example/);
    await refused(adapter, 0);
    await assertCalls();
  });

  it('of an issuer are replaced when its file changes, and stay while the file is unusable', async () => {
    const issuer = 'use="issuer",name="https://idp.example"';
    const former = readFileSync(issuerCa, 'utf8');
    writeFileSync(issuerCa, (await makeCertificate({ dns: 'old.example', notAfter: LONG_AGO })).cert);
    await logged(/rotated secret or certificate is not usable.*old\.example.*expired/);
    await refused(issuer, 1);
    writeFileSync(issuerCa, (await makeCertificate({ dns: 'idp-next.example' })).cert);
    await logged(/certificate replaced.*"use":"issuer".*CN=idp-next\.example/);
    await refused(issuer, 0);
    writeFileSync(issuerCa, former);
    await logged(/certificate replaced.*"use":"issuer".*CN=idp\.example/);
  });

  it('are replaced although the configuration on disk has a fault', async () => {
    const main = testServer.configPath;
    const text = readFileSync(main, 'utf8');
    writeFileSync(main, `${text}rolls: {}\n`);
    await logged(/configuration refused/);
    const { cert } = await makeCertificate({ dns: 'third.example', isCa: true });
    writeFileSync(orchestratorCa, `${cert}\n${readFileSync(orchestratorCa, 'utf8')}`);
    await logged(/certificate replaced.*"name":"core1".*CN=third\.example/);
    writeFileSync(main, text);
    assert.deepEqual(await testServer.running.reload(), []);
  });
});

describe('a certificate that expires', () => {
  it('ends no server: the health report names it, and other changes are live', async () => {
    let aheadMs = 0;
    const idp = await makeCertificate({ dns: 'idp.example', notAfter: new Date(Date.now() + 7 * DAY_MS) });
    const testServer = await startTestServer({
      clock: { ...systemScheduler, now: () => Date.now() + aheadMs },
      arrange(at) {
        writeFileSync(join(at, 'idp-ca.pem'), idp.cert);
        extendMainFile(at, { auth: `issuers: [${ISSUER}]` });
      },
    });
    const assertHealth = async (expected: object): Promise<void> => {
      const { services } = await testServer.ask<{ services: { service: string }[] }>('GET /health/status');
      assertMembers(
        services.find(({ service }) => service === 'certificates'),
        expected,
      );
    };
    try {
      await assertHealth({ status: 'running', reason: undefined });
      aheadMs = 8 * DAY_MS;
      await assertHealth({ status: 'failed', reason: /CN=idp\.example of .*idp-ca\.pem expired on/ });
      const { text } = await testServer.call('GET /metrics');
      assert.ok(text.includes('gatehouse_service_running{service="certificates"} 0\n'));
      assert.equal((await testServer.query()).status, 200);
      appendFileSync(testServer.configPath, 'roles: { platform.getVersion: [admin] }\n');
      assert.deepEqual(await testServer.running.reload(), []);
      assert.equal((await testServer.query()).status, 200);
    } finally {
      await testServer.close();
    }
  });
});
