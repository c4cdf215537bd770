import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Scheduler, systemScheduler } from '../../src/core/lib/clock.js';
import { callUrl } from '../support/call.js';
import { makeCertificate } from '../support/certificates.js';
import { extendMainFile } from '../support/main-file.js';
import { assertMembers } from '../support/members.js';
import { cheapHash } from '../support/password-hash.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

const DAY_MS = 86_400_000;
const PASSWORD = 'pw-4b1c77-of-ada';
const QUERY = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

describe('certificates in use, with two processes', function () {
  this.timeout(90_000);
  const { path: folder } = temporaryFolder();
  let testServer: TestServer;
  let aheadMs = 0;
  const clock: Scheduler = { ...systemScheduler, now: () => Date.now() + aheadMs };
  const orchestratorCa = join(folder, 'orchestrator-ca.pem');
  const issuerCa = join(folder, 'idp-ca.pem');

  before(async () => {
    const idp = await makeCertificate({ dns: 'idp.example', notAfter: new Date(Date.now() + 7 * DAY_MS) });
    testServer = await startTestServer({
      folder,
      clock,
      arrange(at) {
        writeFileSync(issuerCa, idp.cert);
        const issuer = `{ issuer: "https://idp.example", audience: a, algorithms: [RS256], jwksUri: "https://127.0.0.1:9/jwks", caFile: idp-ca.pem }`;
        const local = `users: [{ username: ada, passwordHash: "${cheapHash(PASSWORD)}", roles: [admin] }]`;
        extendMainFile(at, { server: 'workers: 2', auth: `issuers: [${issuer}]`, local });
      },
    });
  });
  after(() => testServer.close());

  // A password, unlike a token, is valid at every time of the clock.
  const authorization = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`;
  const get = (path: string) => callUrl(testServer.url + path, { method: 'GET', headers: { authorization } });
  const query = () =>
    callUrl(`${testServer.url}/orchestrator_manager/restQuery/core1`, {
      headers: { authorization },
      body: QUERY,
    });
  const logged = (pattern: RegExp) =>
    eventually(() => {
      assert.match(testServer.logLines.join(''), pattern);
      return Promise.resolve();
    });
  const metric = async (name: string): Promise<string | undefined> =>
    (await get('/metrics')).text.split('\n').find((line) => line.startsWith(name));
  // A refusal is logged before the configuration that contains it is live.
  const assertRefused = (labels: string, value: number) =>
    eventually(async () => {
      const line = await metric(`gatehouse_tls_certificate_refused{${labels}}`);
      assert.equal(line, `gatehouse_tls_certificate_refused{${labels}} ${value}`);
    });

  it('of an adapter are replaced when its file changes, and stay while the file is unusable', async () => {
    const adapter = 'use="adapter",name="core1"';
    const former = readFileSync(orchestratorCa, 'utf8');
    writeFileSync(orchestratorCa, 'no certificate');
    await logged(/adapter not replaced.*tls at \/tls\/caFile/);
    await assertRefused(adapter, 1);
    assert.equal((await query()).status, 200);
    const { cert } = await makeCertificate({ dns: 'next.example', isCa: true });
    writeFileSync(orchestratorCa, `${cert}\n${former}`);
    await logged(/certificate replaced.*"name":"core1".*CN=next\.example/);
    await assertRefused(adapter, 0);
    assert.equal((await query()).status, 200);
  });

  it('of an issuer are replaced when its file changes, and stay while the file is unusable', async () => {
    const issuer = 'use="issuer",name="https://idp.example"';
    const former = readFileSync(issuerCa, 'utf8');
    const expired = await makeCertificate({ dns: 'old.example', notAfter: new Date(Date.UTC(2021, 0, 1)) });
    writeFileSync(issuerCa, expired.cert);
    await logged(/rotated secret or certificate is not usable.*old\.example.*expired/);
    await assertRefused(issuer, 1);
    const { cert } = await makeCertificate({ dns: 'idp-next.example' });
    writeFileSync(issuerCa, cert);
    await logged(/certificate replaced.*"use":"issuer".*CN=idp-next\.example/);
    await assertRefused(issuer, 0);
    writeFileSync(issuerCa, former);
    await logged(/certificate replaced.*"use":"issuer".*CN=idp\.example/);
  });

  it('are replaced although the configuration on disk has a fault', async () => {
    const main = testServer.configPath;
    const text = readFileSync(main, 'utf8');
    writeFileSync(main, `${text}rolls: {}\n`);
    await logged(/configuration refused/);
    const former = readFileSync(orchestratorCa, 'utf8');
    const { cert } = await makeCertificate({ dns: 'third.example', isCa: true });
    writeFileSync(orchestratorCa, `${cert}\n${former}`);
    await logged(/certificate replaced.*"name":"core1".*CN=third\.example/);
    writeFileSync(main, text);
    assert.deepEqual(await testServer.running.reload(), []);
  });

  it('that expire end no server: the health report names the certificate, and other changes are live', async () => {
    const certificatesOf = async () => {
      const { json } = await get('/health/status');
      const { services } = json as { services: { service: string }[] };
      return services.find(({ service }) => service === 'certificates');
    };
    assertMembers(await certificatesOf(), { status: 'running', reason: undefined });
    aheadMs = 8 * DAY_MS;
    const reason = /CN=idp\.example of .*idp-ca\.pem expired on/;
    assertMembers(await certificatesOf(), { status: 'failed', reason });
    assert.match((await metric('gatehouse_service_running{service="certificates"}')) ?? '', / 0$/);
    assert.equal((await query()).status, 200);
    const main = testServer.configPath;
    writeFileSync(main, `${readFileSync(main, 'utf8')}roles: { platform.getVersion: [admin] }\n`);
    assert.deepEqual(await testServer.running.reload(), []);
    assert.equal((await query()).status, 200);
  });
});
