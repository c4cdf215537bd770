import assert from 'node:assert/strict';
import { authenticate, HEADER_STYLES } from '../../src/auth/authenticate.js';
import {
  type LoginAttempt,
  type Logins,
  type RequestHead,
  type CredentialScheme,
  STYLES,
} from '../../src/core/login.js';
import type { Principal } from '../../src/core/principal.js';
import { Problem } from '../../src/core/problem.js';
import { makeIssuer, type TestIssuer } from '../support/tokens.js';
import { manualClock, NOW, uniformReason, verifierOf } from './fixtures.js';

const BASIC = `Basic ${Buffer.from('ada:pw').toString('base64')}`;

describe('authenticate', () => {
  const clock = manualClock();
  let idp: TestIssuer;
  let token: string;
  before(() => {
    idp = makeIssuer({ now: () => clock.now() });
    token = idp.sign();
  });
  after(() => {
    idp.remove();
  });

  const attempts: LoginAttempt[] = [];
  let failure: Problem | undefined;
  const logIn: Logins['logIn'] = (attempt) => {
    attempts.push(attempt);
    return failure
      ? Promise.reject(failure)
      : Promise.resolve({ kind: 'user', name: 'ada', roles: ['admin'], mark: '' });
  };

  const inQuery: string[] = [];
  let accepted: readonly CredentialScheme[] = STYLES;
  function ask(sent: Partial<RequestHead>, styles?: readonly CredentialScheme[]): Promise<Principal> {
    const head = { header: () => undefined, method: 'GET', target: '/', address: '192.0.2.1', ...sent };
    const logins: Logins = {
      accept: new Set(accepted),
      tokenTtlSeconds: 1,
      logIn,
      hasUsers: true,
      guess: (_address, look) => look(),
    };
    const onQueryToken = ({ subject }: Principal): void => void inQuery.push(subject);
    return authenticate(head, { verifier: verifierOf(idp, clock), logins, clock, onQueryToken }, styles);
  }
  const withHeader = (wanted: string, value: string): Partial<RequestHead> => ({
    header: (name) => (name === wanted ? value : undefined),
  });

  const challengesOf = async (
    headers: Readonly<Record<string, string>>,
    styles?: readonly CredentialScheme[],
  ) => {
    const problem = await ask({ header: (name) => headers[name] }, styles).catch((error: unknown) => error);
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
    accepted = ['bearer'];
    try {
      const before = attempts.length;
      await assert.rejects(ask(withHeader('authorization', BASIC), HEADER_STYLES), { code: 'unauthorized' });
      assert.equal(attempts.length, before);
    } finally {
      accepted = STYLES;
    }
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
    failure = undefined;
    const principal = await ask(withHeader('authorization', BASIC));
    assert.deepEqual(principal, { subject: 'ada', issuer: 'gatehouse', roles: ['admin'], expiresAt: NOW });
    const { name, password, address, kinds } = attempts.at(-1)!;
    assert.deepEqual(
      [name, password.reveal(), address, kinds],
      ['ada', 'pw', '192.0.2.1', ['user', 'client']],
    );
  });

  it('reads only the header when the caller restricts the schemes', async () => {
    failure = undefined;
    const sent = { ...withHeader('cookie', `token=${token}`), target: `/?token=${token}` };
    assert.equal(
      uniformReason(await ask(sent, HEADER_STYLES).catch((error: unknown) => error)),
      'no token was sent',
    );
    assert.equal((await ask(withHeader('authorization', BASIC), HEADER_STYLES)).subject, 'ada');
    assert.equal(
      (await ask(withHeader('authorization', `Bearer ${token}`), HEADER_STYLES)).subject,
      'tester',
    );
  });

  it('answers a wrong password with the uniform 401, with the reason for the log', async () => {
    failure = new Problem('invalid_credentials', 'Invalid credentials', {
      outcome: 'invalid_credentials, ada',
    });
    const refusal = await ask(withHeader('authorization', BASIC)).catch((error: unknown) => error);
    assert.equal(uniformReason(refusal), 'invalid_credentials, ada');
  });

  it('passes on that a name is locked instead of a 401', async () => {
    failure = new Problem('too_many_requests', 'Later.');
    await assert.rejects(ask(withHeader('authorization', BASIC)), (error) => error === failure);
  });
});
