import assert from 'node:assert/strict';
import { fixedKeys, type Issuer } from '../../../src/auth/issuer.js';
import { createLogoutTokens } from '../../../src/auth/oidc/logout-token.js';
import { makeIssuer, type TestIssuer } from '../../support/tokens.js';
import { manualClock, NOW, trust } from '../fixtures.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const ISSUER = 'https://idp.test';

const nowMs = () => NOW * 1_000;
const tokenOf = (idp: TestIssuer, claims: object = {}, header: object = {}): string =>
  idp.sign({ jti: 'j1', sid: 's1', events: { [EVENT]: {} }, ...claims }, { typ: 'logout+jwt', ...header });

describe('createLogoutTokens', () => {
  const settings = { clockToleranceSeconds: 5 };
  const idp = makeIssuer({ now: nowMs, settings });
  const edDsa = makeIssuer({ now: nowMs, settings, algorithm: 'EdDSA', issuer: 'https://ed.test' });

  /** Opens a verifier of both issuers. */
  function open(issuer: Issuer = trust(idp)) {
    const clock = manualClock();
    const issuers = new Map([issuer, trust(edDsa)].map((one) => [one.rules.issuer, one]));
    return { clock, tokens: createLogoutTokens((name) => issuers.get(name), clock) };
  }

  it('returns the issuer, the session and the subject of a logout token', async () => {
    const { tokens } = open();
    const notice = await tokens.verify(tokenOf(idp));
    assert.deepEqual(notice, { issuer: ISSUER, sid: 's1', subject: 'tester', issuedAt: NOW });
    const whole = await tokens.verify(tokenOf(idp, { jti: 'j2', sid: undefined }, { typ: undefined }));
    assert.deepEqual([whole.sid, whole.subject], [undefined, 'tester']);
    const session = await tokens.verify(tokenOf(idp, { jti: 'j3', sub: '' }, { typ: 'JWT' }));
    assert.deepEqual([session.sid, session.subject], ['s1', undefined]);
  });

  for (const [what, claims, reason] of [
    ['another issuer', { iss: 'https://other.test' }, /^iss is not an issuer with sign-ins$/],
    ['an issuer that is not a text', { iss: 7 }, /^iss is not an issuer with sign-ins$/],
    ['another audience', { aud: 'portal' }, /audience/],
    ['no audience', { aud: undefined }, /aud/],
    ['no time', { iat: undefined }, /^iat of the logout token is not current$/],
    ['a time that is not a number', { iat: `${NOW}` }, /iat/],
    ['a time in the future', { iat: NOW + 6 }, /^iat of the logout token is not current$/],
    ['an old time', { iat: NOW - 306 }, /^iat of the logout token is not current$/],
    ['an end in the past', { exp: NOW - 5 }, /exp/],
    ['an end that is not a number', { exp: 'soon' }, /exp/],
    ['no jti', { jti: undefined }, /^the logout token has no jti$/],
    ['an empty jti', { jti: '' }, /^the logout token has no jti$/],
    ['a nonce', { nonce: 'n' }, /^a logout token has no nonce$/],
    ['no events', { events: undefined }, /^the logout token has no back-channel logout event$/],
    ['another event', { events: { 'urn:x': {} } }, /^the logout token has no back-channel logout event$/],
    ['an event without members', { events: { [EVENT]: 1 } }, /^the logout token has no back-channel/],
    ['no session', { sid: undefined, sub: undefined }, /^the logout token names no session$/],
    ['a session that is not a text', { sid: 7, sub: undefined }, /^the logout token names no session$/],
  ] as const)
    it(`refuses a token with ${what}, whatever its algorithm`, async () => {
      const { tokens } = open();
      for (const issuer of [idp, edDsa])
        await assert.rejects(tokens.verify(tokenOf(issuer, claims)), (error: Error) => {
          assert.match(error.message, reason);
          return true;
        });
    });

  it('accepts the edges of the times, and a token without an end', async () => {
    const { tokens } = open();
    const edges = [{ iat: NOW + 5 }, { iat: NOW - 305 }, { exp: NOW - 4 }, { exp: undefined }];
    for (const [at, times] of edges.entries())
      for (const issuer of [idp, edDsa]) {
        const { subject } = await tokens.verify(tokenOf(issuer, { ...times, jti: `edge${at}` }));
        assert.equal(subject, 'tester', JSON.stringify(times));
      }
  });

  for (const [what, header, reason] of [
    ['no algorithm', { alg: undefined }, /^the header does not name an accepted algorithm$/],
    ['the algorithm none', { alg: 'none' }, /^the header does not name an accepted algorithm$/],
    ['another type', { typ: 'at+jwt' }, /^the header is not that of a logout token$/],
    ['a type that is not a text', { typ: 7 }, /^the header is not that of a logout token$/],
    ['critical extensions', { crit: [] }, /^the header is not that of a logout token$/],
    ['a kid that is not a text', { kid: 7 }, /^the header has a kid that is not a text$/],
    ['an algorithm without a key', { alg: 'RS256' }, /^no key of the issuer fits$/],
  ] as const)
    it(`refuses a header with ${what}`, async () => {
      const { tokens } = open();
      await assert.rejects(tokens.verify(tokenOf(idp, {}, header)), { message: reason });
    });

  it('refuses a text that is not three parts, is too long, or has another signature', async () => {
    const { tokens } = open();
    const token = tokenOf(idp);
    const three = /^the logout token does not have three parts$/;
    for (const text of ['', 'a.b', 'a.b.', `${token}.c`])
      await assert.rejects(tokens.verify(text), { message: three });
    const long = `${token}${'A'.repeat(8_192)}`;
    await assert.rejects(tokens.verify(long), { message: /^the logout token is too long$/ });

    const [header, payload] = token.split('.');
    const [, , signature] = tokenOf(idp, { jti: 'other' }).split('.');
    await assert.rejects(tokens.verify(`${header}.${payload}.${signature}`), /signature/);
  });

  it('accepts a token once, also from another issuer with the same jti, for ten minutes', async () => {
    const { clock, tokens } = open();
    await tokens.verify(tokenOf(idp));
    const again = { message: /^the logout token was sent before$/ };
    await assert.rejects(tokens.verify(tokenOf(idp)), again);
    await tokens.verify(tokenOf(edDsa));
    clock.seconds = NOW + 599;
    const later = { iat: NOW + 599, exp: undefined };
    await assert.rejects(tokens.verify(tokenOf(idp, later)), again);
    clock.seconds = NOW + 600;
    assert.ok(await tokens.verify(tokenOf(idp, later)));
  });

  it('fetches the keys of the issuer once for a key that it does not have', async () => {
    const known = trust(idp);
    const asked: unknown[] = [];
    const renewing = (keys: 'new' | 'none'): Issuer => ({
      rules: known.rules,
      keys: {
        ...fixedKeys([]),
        renew(token) {
          asked.push(token);
          return keys === 'none' ? undefined : Promise.resolve(known.keys.current()!);
        },
      },
    });
    const header = { kid: 'k9' };
    assert.ok(await open(renewing('new')).tokens.verify(tokenOf(idp, {}, header)));
    assert.deepEqual(asked, [{ alg: 'ES256', kid: 'k9' }]);
    await assert.rejects(open(renewing('none')).tokens.verify(tokenOf(idp, {}, header)), {
      message: /^no key of the issuer fits$/,
    });
  });
});
