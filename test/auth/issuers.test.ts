import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { HttpClientOptions } from '../../src/core/http.js';
import { Secret } from '../../src/core/secret.js';
import type { IssuerSettings } from '../../src/core/settings.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { openIssuers } from '../../src/auth/issuers.js';
import { createVerifier } from '../../src/auth/verifier.js';
import { makeCertificate } from '../support/certificates.js';
import { type JwksServer, startJwksServer } from '../support/jwks-server.js';
import { memoryLog } from '../support/memory-log.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { makeIssuer, type TestIssuer } from '../support/tokens.js';
import { manualClock, NOW, problemOf } from './fixtures.js';

const clock = manualClock();
const base: Omit<IssuerSettings, 'publicKeyFile'> = {
  issuer: 'https://a.test',
  audience: ['gatehouse'],
  algorithms: ['ES256'],
  rolesClaim: '/roles',
  clockToleranceSeconds: 0,
  maxLifetimeSeconds: 3600,
};

function open(settings: readonly IssuerSettings[]): ReturnType<typeof openIssuers> {
  return openIssuers(settings, { openHttpClient, clock, log: memoryLog().log });
}

describe('openIssuers', () => {
  const { path } = temporaryFolder();
  let idp: TestIssuer;
  let server: JwksServer;
  before(async () => {
    idp = makeIssuer({ now: () => clock.now(), issuer: 'https://a.test' });
    server = await startJwksServer();
    server.publish(idp.jwk);
  });
  after(async () => {
    idp.remove();
    await server.close();
  });

  /** Returns the pointers and codes of the faults. */
  async function faultsOf(...settings: readonly IssuerSettings[]): Promise<readonly string[]> {
    const { issuers, faults } = await open(settings);
    assert.deepEqual(issuers, []);
    for (const { message, fix } of faults)
      assert.ok(message !== '' && fix.endsWith('.') !== fix.includes('openssl'));
    return faults.map(({ pointer, code }) => `${pointer} ${code}`);
  }

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

  const rsaOnly = { ...base, algorithms: ['RS256'] };
  const cases: readonly (readonly [string, () => IssuerSettings, readonly string[]])[] = [
    [
      'a missing file',
      () => ({ ...base, publicKeyFile: join(path, 'none') }),
      ['/0/publicKeyFile auth_file'],
    ],
    ['a folder for a file', () => ({ ...base, publicKeyFile: path }), ['/0/publicKeyFile auth_file']],
    [
      'a file without a key',
      () => ({ ...base, publicKeyFile: file('x', 'hello') }),
      ['/0/publicKeyFile auth_key'],
    ],
    [
      'a private key',
      () => ({
        ...base,
        publicKeyFile: file('p', String(idp.privateKey.export({ type: 'pkcs8', format: 'pem' }))),
      }),
      ['/0/publicKeyFile auth_key'],
    ],
    [
      'an algorithm that does not fit the key',
      () => ({ ...rsaOnly, algorithms: ['ES256', 'RS256'], publicKeyFile: idp.publicKeyFile }),
      ['/0/algorithms/1 auth_algorithm'],
    ],
    [
      'unsupported algorithms',
      () => ({ ...base, algorithms: ['none', 'ES256', 'es256', 'Ed448'], publicKeyFile: idp.publicKeyFile }),
      ['/0/algorithms/0 auth_algorithm', '/0/algorithms/2 auth_algorithm', '/0/algorithms/3 auth_algorithm'],
    ],
    [
      'no algorithm',
      () => ({ ...base, algorithms: [], jwksUri: 'https://a.test' }),
      ['/0/algorithms auth_algorithm'],
    ],
    [
      'an HMAC algorithm with a public key',
      () => ({ ...base, algorithms: ['ES256', 'HS256'], publicKeyFile: idp.publicKeyFile }),
      ['/0/algorithms/1 auth_algorithm'],
    ],
    [
      'an HMAC algorithm with published keys',
      () => ({ ...base, algorithms: ['HS256'], jwksUri: 'https://a.test' }),
      ['/0/algorithms/0 auth_algorithm'],
    ],
    [
      'a public key algorithm with a secret',
      () => ({ ...base, algorithms: ['HS256', 'RS256'], secret: new Secret('x'.repeat(32)) }),
      ['/0/algorithms/1 auth_algorithm'],
    ],
    [
      'a short secret',
      () => ({ ...base, algorithms: ['HS256'], secret: new Secret('hunter2') }),
      ['/0/secret auth_key'],
    ],
    ['plain http', () => ({ ...base, jwksUri: 'http://a.test/jwks' }), ['/0/jwksUri auth_address']],
    ['an invalid URL', () => ({ ...base, jwksUri: 'a.test/jwks' }), ['/0/jwksUri auth_address']],
    ['a user name in a URL', () => ({ ...base, jwksUri: 'https://u@a.test/' }), ['/0/jwksUri auth_address']],
    [
      'credentials in a URL',
      () => ({ ...base, jwksUri: 'https://u:p@a.test/' }),
      ['/0/jwksUri auth_address'],
    ],
    [
      'discovery over http',
      () => ({ ...base, issuer: 'http://a.test', discovery: true }),
      ['/0/discovery auth_address'],
    ],
    [
      'discovery of an issuer that is not a URL',
      () => ({ ...base, issuer: 'idp', discovery: true }),
      ['/0/discovery auth_address'],
    ],
    ['no keys', () => base, ['/0 auth_key']],
    [
      'a missing CA file',
      () => ({ ...base, jwksUri: 'https://a.test', caFile: join(path, 'none') }),
      ['/0/caFile auth_file'],
    ],
    [
      'a CA file without a certificate',
      () => ({ ...base, jwksUri: 'https://a.test', caFile: idp.publicKeyFile }),
      ['/0/caFile auth_file'],
    ],
    [
      'the name of the built-in issuer',
      () => ({ ...idp.settings, issuer: 'gatehouse' }),
      ['/0/issuer auth_issuer'],
    ],
  ];
  for (const [name, settings, expected] of cases)
    it(`rejects ${name}`, async () => {
      assert.deepEqual(await faultsOf(settings()), expected);
    });

  it('reports all faults at once without secrets', async () => {
    const settings = [
      { ...idp.settings },
      { ...idp.settings },
      { ...base, issuer: 'c', algorithms: ['HS256'], secret: new Secret('hunter2') },
      { ...base, issuer: 'd', jwksUri: 'http://d.test', caFile: path },
    ];
    const { faults } = await open(settings);
    assert.deepEqual(
      faults.map(({ pointer }) => pointer),
      ['/1/issuer', '/2/secret', '/3/jwksUri', '/3/caFile'],
    );
    assert.ok(!JSON.stringify(faults).includes('hunter2'));
  });

  it('fetches keys over TLS with the configured CA', async () => {
    const { key, cert } = await makeCertificate({ ip: '127.0.0.1' });
    const answer: RequestListener = (_, response) => response.end(JSON.stringify({ keys: [idp.jwk] }));
    const tls = createServer({ key, cert }, answer).listen(0, '127.0.0.1');
    await once(tls, 'listening');
    const jwksUri = `https://127.0.0.1:${(tls.address() as AddressInfo).port}/jwks`;
    const asked: HttpClientOptions[] = [];
    const { issuers, faults } = await openIssuers(
      [
        { ...base, jwksUri, caFile: file('ca.pem', cert) },
        { ...base, issuer: 'b', jwksUri },
      ],
      {
        openHttpClient(options) {
          asked.push(options);
          return openHttpClient(options);
        },
        clock,
        log: memoryLog().log,
      },
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(new Set(asked), new Set([{ tls: { ca: cert } }, {}]));
    // Sign-ins connect to the same issuer with the same CA.
    assert.deepEqual(
      issuers.map(({ ca }) => ca),
      [cert, undefined],
    );
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
  afterEach(async () => {
    idp.remove();
    await server.close();
  });

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

  it('finds the keys of the issuer', async () => {
    assert.equal(await resultOf({ issuer: server.url, jwks_uri: `${server.url}/jwks` }), 'accepted');
    assert.equal(server.requests[0], '/.well-known/openid-configuration');
  });

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
    assert.match(await resultOf({ issuer: 'https://evil.test', jwks_uri: jwks }), /names another issuer/);
    assert.match(await resultOf({ jwks_uri: jwks }), /names another issuer/);
    assert.match(await resultOf({ issuer: server.url }), /no jwks_uri/);
    assert.match(await resultOf({ issuer: server.url, jwks_uri: [jwks] }), /no jwks_uri/);
    assert.match(
      await resultOf({ issuer: server.url, jwks_uri: 'http://10.0.0.1/jwks' }),
      /neither https nor/,
    );
    assert.match(
      await resultOf({ issuer: server.url, jwks_uri: jwks.replace('127.0.0.1', 'localhost') }),
      /neither https nor/,
    );
    assert.match(await resultOf({ issuer: server.url, jwks_uri: 'file:///etc/passwd' }), /not https/);
    assert.match(await resultOf({ issuer: server.url, jwks_uri: '/jwks' }), /Invalid URL/);
    assert.ok(!server.requests.includes('/jwks'));
  });
});
