import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openIssuers } from '../../src/auth/issuers.js';
import { createVerifier } from '../../src/auth/verifier.js';
import type { HttpClientOptions, OpenHttpClient } from '../../src/core/http.js';
import { Secret } from '../../src/core/secret.js';
import type { IssuerSettings } from '../../src/settings/settings.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { makeCertificate } from '../support/certificates.js';
import { column } from '../support/columns.js';
import { type JwksServer, startJwksServer } from '../support/jwks-server.js';
import { memoryLog } from '../support/memory-log.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { makeIssuer, type TestIssuer } from '../support/tokens.js';
import { ISSUER_SETTINGS, manualClock, NOW, problemOf } from './fixtures.js';

const clock = manualClock();
const base: Omit<IssuerSettings, 'publicKeyFile'> = ISSUER_SETTINGS;

const open = (settings: readonly IssuerSettings[], openClient: OpenHttpClient = openHttpClient) =>
  openIssuers(settings, { openHttpClient: openClient, clock, log: memoryLog().log });

describe('openIssuers', () => {
  const { path } = temporaryFolder();
  const idp = makeIssuer({ now: () => clock.now(), issuer: 'https://a.test' });
  let server: JwksServer;
  before(async () => {
    server = await startJwksServer();
    server.publish(idp.jwk);
  });
  after(() => server.close());

  function file(name: string, text: string): string {
    const target = join(path, name);
    writeFileSync(target, text);
    return target;
  }

  it('opens issuers with every kind of key without a connection', async () => {
    const secret = new Secret(randomBytes(32).toString('hex'));
    const { issuers, faults } = await open([
      idp.settings,
      { ...base, issuer: 'b', algorithms: ['HS256'], secret },
      { ...base, issuer: 'c', jwksUri: `${server.url}/jwks` },
      { ...base, issuer: server.url, discovery: true },
    ]);
    assert.deepEqual(faults, []);
    assert.equal(server.requests.length, 0);
    const verifier = createVerifier({ issuers, clock });
    for (const iss of ['https://a.test', 'c', server.url])
      assert.equal((await verifier.verify(idp.sign({ iss }))).issuer, iss);
    assert.deepEqual(server.requests, ['/jwks', '/.well-known/openid-configuration', '/jwks']);
    for (const { keys } of issuers) await keys.close();
  });

  const { publicKeyFile } = idp;
  const jwksUri = 'https://a.test';
  const cases: readonly (readonly [string, () => Partial<IssuerSettings>, string])[] = [
    ['a missing file', () => ({ publicKeyFile: join(path, 'none') }), '/0/publicKeyFile auth_file'],
    ['a folder for a file', () => ({ publicKeyFile: path }), '/0/publicKeyFile auth_file'],
    ['a file without a key', () => ({ publicKeyFile: file('x', 'hello') }), '/0/publicKeyFile auth_key'],
    ['an algorithm that does not fit the key', () => ({ algorithms: ['ES256', 'RS256'], publicKeyFile }), '/0/algorithms/1 auth_algorithm'],
    ['an unsupported algorithm', () => ({ algorithms: ['none', 'ES256'], publicKeyFile }), '/0/algorithms/0 auth_algorithm'],
    ['no keys', () => ({}), '/0 auth_key'],
    ['a missing CA file', () => ({ jwksUri, caFile: join(path, 'none') }), '/0/caFile auth_file'],
    ['a CA file without a certificate', () => ({ jwksUri, caFile: publicKeyFile }), '/0/caFile auth_file'],
  ]; // prettier-ignore
  for (const [name, settings, expected] of cases)
    it(`rejects ${name}`, async () => {
      const { issuers, faults } = await open([{ ...base, ...settings() }]);
      assert.deepEqual(issuers, []);
      assert.deepEqual(
        faults.map(({ pointer, code }) => `${pointer} ${code}`),
        [expected],
      );
      for (const { message, fix } of faults)
        assert.ok(message !== '' && fix.endsWith('.') !== fix.includes('openssl'));
    });

  it('reports all faults at once without secrets', async () => {
    const settings = [
      { ...idp.settings },
      { ...idp.settings },
      { ...base, issuer: 'c', algorithms: ['HS256'], secret: new Secret('hunter2') },
      { ...base, issuer: 'd', jwksUri: 'http://d.test', caFile: path },
    ];
    const { faults } = await open(settings);
    assert.deepEqual(column(faults, 'pointer'), ['/1/issuer', '/2/secret', '/3/jwksUri', '/3/caFile']);
    assert.ok(!JSON.stringify(faults).includes('hunter2'));
  });

  it('fetches keys over TLS with the configured CA', async () => {
    const { key, cert } = await makeCertificate({ ip: '127.0.0.1' });
    const answer: RequestListener = (_, response) => response.end(JSON.stringify({ keys: [idp.jwk] }));
    const tls = createServer({ key, cert }, answer).listen(0, '127.0.0.1');
    await once(tls, 'listening');
    const jwksUri = `https://127.0.0.1:${(tls.address() as AddressInfo).port}/jwks`;
    const asked: HttpClientOptions[] = [];
    const { issuers, faults } = await open(
      [
        { ...base, jwksUri, caFile: file('ca.pem', cert) },
        { ...base, issuer: 'b', jwksUri },
      ],
      (options) => {
        asked.push(options);
        return openHttpClient(options);
      },
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(new Set(asked), new Set([{ tls: { ca: cert } }, {}]));
    // Sign-ins connect to the same issuer with the same CA.
    assert.deepEqual(column(issuers, 'ca'), [cert, undefined]);
    const verifier = createVerifier({ issuers, clock });
    assert.equal((await verifier.verify(idp.sign())).expiresAt, NOW + 300);
    assert.equal((await problemOf(verifier, idp.sign({ iss: 'b' }))).code, 'issuer_unavailable');
    for (const { keys } of issuers) await keys.close();
    tls.close();
    tls.closeAllConnections();
  });
});

describe('issuer discovery', () => {
  let server: JwksServer;
  let idp: TestIssuer;
  beforeEach(async () => {
    server = await startJwksServer();
    idp = makeIssuer({ now: () => clock.now(), issuer: server.url });
  });
  afterEach(() => server.close());

  async function resultOf(metadata: unknown, issuer = server.url): Promise<string> {
    server.answer(({ url }, response) => {
      response.end(url === '/jwks' ? JSON.stringify({ keys: [idp.jwk] }) : JSON.stringify(metadata));
    });
    const { log, lines } = memoryLog();
    const deps = { openHttpClient, clock, log };
    const { issuers } = await openIssuers([{ ...base, issuer, discovery: true }], deps);
    const [{ keys } = assert.fail('no issuer')] = issuers;
    await keys.prepare();
    if (lines.length === 0) await createVerifier({ issuers, clock }).verify(idp.sign({ iss: issuer }));
    await keys.close();
    const reason = lines[0]?.fields['reason'];
    return typeof reason === 'string' ? reason : 'accepted';
  }

  it('appends to the path of the issuer and keeps a trailing slash in its name', async () => {
    const issuer = `${server.url}/realms/net/`;
    assert.equal(await resultOf({ issuer, jwks_uri: `${server.url}/jwks` }, issuer), 'accepted');
    assert.equal(server.requests[0], '/realms/net/.well-known/openid-configuration');
    assert.match(
      await resultOf({ issuer: issuer.slice(0, -1), jwks_uri: `${server.url}/jwks` }, issuer),
      /names another issuer/,
    );
  });

  it('rejects metadata of another issuer and metadata with an insecure key URL', async () => {
    const jwks = `${server.url}/jwks`;
    const issuer = server.url;
    for (const [metadata, reason] of [
      [{ issuer: 'https://evil.test', jwks_uri: jwks }, /names another issuer/],
      [{ jwks_uri: jwks }, /names another issuer/],
      [{ issuer }, /no jwks_uri/],
      [{ issuer, jwks_uri: [jwks] }, /no jwks_uri/],
      [{ issuer, jwks_uri: 'http://10.0.0.1/jwks' }, /neither https nor/],
      [{ issuer, jwks_uri: jwks.replace('127.0.0.1', 'localhost') }, /neither https nor/],
      [{ issuer, jwks_uri: 'file:///etc/passwd' }, /not https/],
      [{ issuer, jwks_uri: '/jwks' }, /Invalid URL/],
    ] as const)
      assert.match(await resultOf(metadata), reason);
    assert.ok(!server.requests.includes('/jwks'));
  });
});
