import assert from 'node:assert/strict';
import { authenticate, HEADER_STYLES } from '../../src/auth/authenticate.js';
import type { ClientCertificate } from '../../src/core/certificate.js';
import {
  type LoginAttempt,
  type Logins,
  type RequestHead,
  type CredentialScheme,
  STYLES,
} from '../../src/core/login.js';
import type { Principal } from '../../src/core/principal.js';
import { Problem } from '../../src/core/problem.js';
import { makeIssuer } from '../support/tokens.js';
import { manualClock, NOW, uniformReason, verifierOf } from './fixtures.js';

const BASIC = `Basic ${Buffer.from('ada:pw').toString('base64')}`;

type Sent = Partial<RequestHead> & { readonly accept?: readonly CredentialScheme[] };

const withHeader = (wanted: string, value: string): Sent => ({
  header: (name) => (name === wanted ? value : undefined),
});

describe('authenticate', () => {
  const clock = manualClock();
  const idp = makeIssuer({ now: () => clock.now() });
  const token = idp.sign();

  const attempts: LoginAttempt[] = [];
  let failure: Problem | undefined;
  const logIn: Logins['logIn'] = (attempt) => {
    attempts.push(attempt);
    return failure
      ? Promise.reject(failure)
      : Promise.resolve({ kind: 'user', name: 'ada', roles: ['admin'], mark: '' });
  };

  const inQuery: string[] = [];
  // Asynchronous, so that an error becomes a rejection.
  async function ask(
    { accept = STYLES, ...sent }: Sent,
    styles?: readonly CredentialScheme[],
  ): Promise<Principal> {
    const head = { header: () => undefined, method: 'GET', target: '/', address: '192.0.2.1', ...sent };
    const logins: Logins = {
      accept: new Set(accept),
      tokenTtlSeconds: 1,
      logIn,
      hasUsers: true,
      rolesOf: () => undefined,
      guess: (_address, look) => look(),
    };
    const onQueryToken = ({ subject }: Principal): void => void inQuery.push(subject);
    const clientCertificates = {
      subject: 'uri',
      roles: { 'spiffe://example.org/ci': 'engineering' },
    } as const;
    const deps = { verifier: verifierOf(idp, clock), logins, clientCertificates, clock, onQueryToken };
    return authenticate(head, deps, styles);
  }
  const errorOf = (...sent: Parameters<typeof ask>) => ask(...sent).catch((error: unknown) => error);

  const challengesOf = async (
    headers: Readonly<Record<string, string>>,
    styles?: readonly CredentialScheme[],
  ) => {
    const problem = await errorOf({ header: (name) => headers[name] }, styles);
    assert.ok(problem instanceof Problem && problem.code === 'unauthorized');
    return [problem.extras.headers?.['www-authenticate'] ?? []].flat();
  };

  it('clients review G6: a client that asks first is offered Basic as well, if Basic is accepted', async () => {
    const basic = 'Basic realm="gatehouse", charset="UTF-8"';
    assert.deepEqual(await challengesOf({ 'user-agent': 'curl/8.5.0' }), ['Bearer', basic]);
    const [bearer = '', second] = await challengesOf({ authorization: `Bearer ${token}x` });
    assert.match(bearer, /^Bearer error="invalid_token"/);
    assert.equal(second, basic);
    assert.deepEqual(await challengesOf({}, ['bearer']), ['Bearer']);
  });

  it('offers no Basic to a browser, which would open a dialog of its own', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'https://gateway.example' },
      { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' },
    ])
      assert.deepEqual(await challengesOf(headers), ['Bearer']);
  });

  it('rejects credentials of a scheme that the configuration does not accept', async () => {
    const sent = { ...withHeader('authorization', BASIC), accept: ['bearer'] } as const;
    assert.equal(uniformReason(await errorOf(sent, HEADER_STYLES)), 'Basic is not in auth.local.accept');
    assert.deepEqual(attempts, []);
  });

  describe('with a client certificate', () => {
    const names = { cn: ['ci'], dn: ['CN=ci'], uri: ['spiffe://example.org/ci'], dns: [], email: [] };
    const presenting = (certificate: ClientCertificate, sent: Sent = {}) => ({
      ...sent,
      clientCertificate: () => certificate,
    });
    const valid: ClientCertificate = { names, notAfter: (NOW + 60) * 1000 };

    it('returns its name, its roles and its end, also where only a header may carry a token', async () => {
      const expected = {
        subject: 'spiffe://example.org/ci',
        issuer: 'client-certificate',
        roles: ['engineering'],
        expiresAt: NOW + 60,
      };
      assert.deepEqual(await ask(presenting(valid)), expected);
      assert.deepEqual(await ask(presenting(valid), HEADER_STYLES), expected);
    });

    it('returns no role for a name without an entry, and for names of object members', async () => {
      for (const name of ['spiffe://example.org/other', 'constructor', '__proto__']) {
        const { roles, subject } = await ask(presenting({ ...valid, names: { ...names, uri: [name] } }));
        assert.deepEqual([subject, roles], [name, []]);
      }
    });

    it('prefers a token, and rejects a wrong token although the certificate is valid', async () => {
      const subjectOf = async (name: string, value: string) =>
        (await ask(presenting(valid, withHeader(name, value)))).subject;
      assert.equal(await subjectOf('authorization', `Bearer ${token}`), 'tester');
      assert.equal(await subjectOf('cookie', `token=${token}`), 'tester');
      await assert.rejects(subjectOf('authorization', 'Bearer a.b.c'), { code: 'unauthorized' });
    });

    it('rejects a certificate that was not verified, has expired, or has no name or two names', async () => {
      const rejected: readonly (readonly [ClientCertificate, RegExp])[] = [
        [{ refusal: 'CERT_HAS_EXPIRED' }, /is not accepted: CERT_HAS_EXPIRED/],
        [{ names, notAfter: NOW * 1000 }, /has expired/],
        [{ ...valid, names: { ...names, uri: [] } }, /has 0 names of the kind uri/],
        [{ ...valid, names: { ...names, uri: [''] } }, /is empty or has control characters/],
        [{ ...valid, names: { ...names, uri: ['spiffe://a\u0000'] } }, /is empty or has control characters/],
        [{ ...valid, names: { ...names, uri: ['spiffe://a', 'spiffe://b'] } }, /has 2 names of the kind uri/],
      ];
      for (const [certificate, reason] of rejected)
        assert.match(uniformReason(await errorOf(presenting(certificate))), reason);
    });

    it('rejects requests of pages of other sites, and changes of a browser without the CSRF header', async () => {
      const foreign = presenting(valid, withHeader('sec-fetch-site', 'cross-site'));
      await assert.rejects(ask(foreign), { code: 'unauthorized' });
      const own = presenting(valid, withHeader('sec-fetch-site', 'same-origin'));
      await assert.rejects(ask({ ...own, method: 'POST' }), { code: 'csrf_refused' });
      assert.equal((await ask(own)).issuer, 'client-certificate');
      assert.equal((await ask(presenting(valid, { method: 'POST' }))).issuer, 'client-certificate');
    });
  });

  it('accepts a token of any issuer in header, cookie and query', async () => {
    for (const sent of [
      withHeader('authorization', `Bearer ${token}`),
      withHeader('cookie', `token=${token}`),
      { target: `/?token=${token}` },
    ]) {
      const { subject, issuer } = await ask(sent);
      assert.deepEqual([subject, issuer], ['tester', idp.settings.issuer]);
    }
    assert.deepEqual(inQuery, ['tester']);
  });

  it('accepts the name and password of users and clients for the moment of the request', async () => {
    const principal = await ask(withHeader('authorization', BASIC));
    assert.deepEqual(principal, { subject: 'ada', issuer: 'gatehouse', roles: ['admin'], expiresAt: NOW });
    const { name, password, address, kinds } = attempts.at(-1)!;
    assert.deepEqual(
      [name, password.reveal(), address, kinds],
      ['ada', 'pw', '192.0.2.1', ['user', 'client']],
    );
  });

  it('reads only the header when the caller restricts the schemes', async () => {
    const sent = { ...withHeader('cookie', `token=${token}`), target: `/?token=${token}` };
    assert.equal(uniformReason(await errorOf(sent, HEADER_STYLES)), 'no token was sent');
    for (const [value, subject] of [
      [BASIC, 'ada'],
      [`Bearer ${token}`, 'tester'],
    ] as const)
      assert.equal((await ask(withHeader('authorization', value), HEADER_STYLES)).subject, subject);
  });

  it('answers a wrong password with the uniform 401 and its reason, and passes on that a name is locked', async () => {
    const outcome = 'invalid_credentials, ada';
    failure = new Problem('invalid_credentials', 'Invalid credentials', { outcome });
    assert.equal(uniformReason(await errorOf(withHeader('authorization', BASIC))), outcome);
    failure = new Problem('too_many_requests', 'Later.');
    assert.equal(await errorOf(withHeader('authorization', BASIC)), failure);
  });
});
