import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { importPKCS8, jwtVerify, SignJWT } from 'jose';
import { fixedKeys } from '../../src/auth/issuer.js';
import { ALGORITHMS } from '../../src/auth/keys.js';
import { RejectedToken } from '../../src/auth/rejected-token.js';
import { createVerifier } from '../../src/auth/verifier.js';
import { encodePart, makeIssuer, signToken } from '../support/tokens.js';
import {
  acceptNow,
  challengeOf,
  manualClock,
  NOW,
  problemOf,
  refusalOf,
  trust,
  trustSecret,
  verifierOf,
} from './fixtures.js';

const ASYMMETRIC = Object.keys(ALGORITHMS).filter((name) => !name.startsWith('HS'));
const clock = manualClock();
const now = (): number => clock.now();

describe('createVerifier', () => {
  const idp = makeIssuer({ now });

  it('returns a frozen principal', () => {
    const roles = ['admin', 'x'];
    const principal = acceptNow(verifierOf(idp, clock), idp.sign({ sub: 'anna', roles }));
    const expected = { subject: 'anna', issuer: 'https://idp.test', roles, expiresAt: NOW + 300 };
    assert.deepEqual(principal, expected);
    assert.ok(Object.isFrozen(principal) && Object.isFrozen(principal.roles));
  });

  const headers: readonly (readonly [string, Record<string, unknown>])[] = [
    ['no kid', { kid: undefined }],
    ['an unknown kid', { kid: '../../dev/null' }],
    ['an embedded key', { jwk: { kty: 'oct', k: 'AA' }, jku: 'https://evil.test/jwks', x5u: 'https://evil.test' }],
  ]; // prettier-ignore
  for (const [name, header] of headers)
    it(`accepts a token of the configured key with ${name}`, () => {
      assert.equal(acceptNow(verifierOf(idp, clock), idp.sign({}, header)).subject, 'tester');
    });

  const claims: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [{ iss: undefined }, /iss/],
    [{ iss: 'https://idp.test/' }, /iss/],
    [{ iss: 'https://idр.test' }, /iss/],
    [{ iss: ['https://idp.test'] }, /iss/],
    [{ iss: null }, /iss/],
    [{ iss: '__proto__' }, /iss/],
    [{ aud: undefined }, /audience/],
    [{ aud: 'gatehous' }, /audience/],
    [{ aud: 'Gatehouse' }, /audience/],
    [{ aud: 'gаtehouse' }, /audience/],
    [{ aud: ['other'] }, /audience/],
    [{ aud: [] }, /audience/],
    [{ aud: [['gatehouse']] }, /audience/],
    [{ aud: { gatehouse: true } }, /audience/],
    [{ aud: 1 }, /audience/],
    [{ aud: ['gatehouse', 1] }, /aud/],
    [{ sub: undefined }, /sub/],
    [{ sub: '' }, /sub/],
    [{ sub: 7 }, /sub/],
    [{ sub: 's'.repeat(257) }, /sub/],
  ];
  for (const [claim, reason] of claims)
    it(`rejects ${JSON.stringify(claim).slice(0, 50)} ${Object.keys(claim).join('')}`, async () => {
      assert.match(await refusalOf(verifierOf(idp, clock), idp.sign(claim)), reason);
    });

  it('accepts one of several audiences in the token and in the configuration', () => {
    const rules = { ...idp.settings, audience: ['a', 'gatehouse'] };
    const verifier = createVerifier({ issuers: [{ ...trust(idp), rules }], clock });
    assert.equal(acceptNow(verifier, idp.sign({ aud: ['other', 'gatehouse'] })).subject, 'tester');
    assert.equal(acceptNow(verifier, idp.sign({ aud: 'a' })).subject, 'tester');
  });

  it('rejects every token when the issuer has no audience', async () => {
    const rules = { ...idp.settings, audience: [] };
    await refusalOf(createVerifier({ issuers: [{ ...trust(idp), rules }], clock }), idp.sign());
  });

  it('hides the reason from the caller and the token from the reason', async () => {
    const token = idp.sign({ sub: 'very-private-name', exp: NOW - 1 });
    const reason = await refusalOf(verifierOf(idp, clock), token);
    assert.match(reason, /expired/);
    for (const part of [...token.split('.'), 'very-private-name']) assert.ok(!reason.includes(part));
  });

  it('verifies a token only with the keys of its own issuer', async () => {
    const other = makeIssuer({ now, issuer: 'https://other.test' });
    const verifier = createVerifier({ issuers: [trust(idp), trust(other)], clock });
    assert.equal(acceptNow(verifier, other.sign()).issuer, 'https://other.test');
    assert.match(await refusalOf(verifier, other.sign({ iss: 'https://idp.test' })), /signature/);
  });

  it('requires a kid if several keys fit', async () => {
    const second = makeIssuer({ now });
    const [a, b] = [idp, second].map(({ publicKey }, at) => ({
      kid: `k${at}`,
      algorithms: ['ES256'] as const,
      key: publicKey,
    }));
    const verifier = createVerifier({ issuers: [{ rules: idp.settings, keys: fixedKeys([a!, b!]) }], clock });
    assert.equal(acceptNow(verifier, second.sign({}, { kid: 'k1' })).subject, 'tester');
    assert.match(await refusalOf(verifier, second.sign({}, { kid: 'k0' })), /signature/);
    for (const kid of [undefined, 'k2', 'K1', '', '__proto__', "x' UNION SELECT '1';--", '|sleep 10'])
      assert.match(await refusalOf(verifier, second.sign({ jti: String(kid) }, { kid })), /no key/);
  });
});

describe('token algorithms', () => {
  for (const algorithm of ASYMMETRIC)
    it(`${algorithm}: accepts tokens of jose and issues tokens that jose accepts`, async () => {
      const idp = makeIssuer({ algorithm, now });
      const key = await importPKCS8(
        idp.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        algorithm,
      );
      const token = await new SignJWT({ roles: ['engineering'] })
        .setProtectedHeader({ alg: algorithm })
        .setIssuer(idp.settings.issuer)
        .setAudience('gatehouse')
        .setSubject('jose')
        .setIssuedAt(NOW)
        .setExpirationTime(NOW + 60)
        .sign(key);
      const principal = acceptNow(verifierOf(idp, clock), token);
      assert.deepEqual([principal.subject, principal.roles], ['jose', ['engineering']]);
      await jwtVerify(idp.sign(), idp.publicKey, { algorithms: [algorithm], currentDate: new Date(now()) });
    });

  it('are pinned: a token with any other algorithm is rejected', async () => {
    for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA']) {
      const idp = makeIssuer({ algorithm, now });
      const verifier = verifierOf(idp, clock);
      const others = Object.keys(ALGORITHMS).filter((name) => name !== algorithm);
      for (const alg of others)
        assert.match(await refusalOf(verifier, idp.sign({}, { alg })), /no key/, `${alg} for ${algorithm}`);
    }
  });

  it('are pinned: a public key does not work as HMAC secret', async () => {
    const idp = makeIssuer({ algorithm: 'RS256', now });
    const pem = idp.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const secrets = [
      pem,
      pem.trim(),
      pem.replaceAll('\n', ''),
      idp.publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(idp.publicKey.export({ format: 'jwk' })),
      '',
    ];
    const [, payload = ''] = idp.sign().split('.');
    for (const secret of secrets) {
      const header = '{"alg":"HS256","typ":"JWT"}';
      const text = Buffer.from(payload, 'base64url').toString();
      const token = signToken({ algorithm: 'HS256', key: Buffer.from(secret), header, payload: text });
      assert.match(await refusalOf(verifierOf(idp, clock), token), /no key/);
    }
  });

  it('HS256 accepts only the secret of its issuer', async () => {
    const idp = makeIssuer({ now });
    const secret = randomBytes(32);
    const verifier = createVerifier({ issuers: [trustSecret(idp.settings, secret)], clock });
    const payload = Buffer.from(idp.sign().split('.')[1] ?? '', 'base64url').toString();
    const sign = (key: Buffer): string =>
      signToken({ algorithm: 'HS256', key, header: '{"alg":"HS256"}', payload });
    assert.equal(acceptNow(verifier, sign(secret)).subject, 'tester');
    for (const wrong of [Buffer.alloc(0), Buffer.alloc(32), secret.subarray(1), randomBytes(32)])
      assert.match(await refusalOf(verifier, sign(wrong)), /signature/);
  });

  it('"none" is rejected with and without a signature', async () => {
    const idp = makeIssuer({ now });
    const [, payload = '', signature = ''] = idp.sign().split('.');
    for (const alg of ['none', 'None', 'NONE', 'nOnE'])
      for (const end of ['', signature]) {
        const token = `${encodePart(JSON.stringify({ alg, typ: 'JWT' }))}.${payload}.${end}`;
        assert.match(await refusalOf(verifierOf(idp, clock), token), /algorithm|three parts/);
      }
  });
});

describe('the challenge for a rejected token (RFC 6750)', () => {
  const idp = makeIssuer({ now, settings: { requiredClaims: { azp: 'cli' } } });
  const other = makeIssuer({ now });

  const cases: readonly (readonly [string, () => string, string])[] = [
    ['expired', () => idp.sign({ azp: 'cli', exp: NOW - 1, iat: NOW - 60 }), 'The token expired'],
    ['not active', () => idp.sign({ azp: 'cli', nbf: NOW + 60 }), 'The token is not valid yet'],
    ['of the future', () => idp.sign({ azp: 'cli', iat: NOW + 60 }), 'The token is not valid yet'],
    ['for another audience', () => idp.sign({ azp: 'cli', aud: 'x' }), 'The token is for another audience'],
    ['of another issuer', () => idp.sign({ iss: 'x' }), 'The issuer of the token is not accepted'],
    ['with another key', () => other.sign({ azp: 'cli' }), 'The signature of the token is not valid'],
    ['without a required claim', () => idp.sign(), 'A claim of the token is missing or not accepted'],
    ['with a long life', () => idp.sign({ azp: 'cli', exp: NOW + 90_000 }), 'The lifetime of the token is too long'],
    ['longer than the limit', () => idp.sign({ azp: 'cli', x: 'x'.repeat(9000) }), 'The token is too long'],
    ['that is no token', () => 'a.b.c', 'The token is malformed'],
  ]; // prettier-ignore
  for (const [what, sign, description] of cases)
    it(`classifies a token ${what}`, async () => {
      const expected = `Bearer error="invalid_token", error_description="${description}"`;
      assert.equal(await challengeOf(verifierOf(idp, clock), sign()), expected);
    });

  it('names the caller in the cause only if the signature is valid', async () => {
    const callerOf = async (token: string): Promise<unknown> => {
      const { cause } = await problemOf(verifierOf(idp, clock), token);
      assert.ok(cause instanceof RejectedToken);
      return cause.caller;
    };
    assert.equal(await callerOf(other.sign({ azp: 'cli' })), undefined);
    const caller = { issuer: idp.settings.issuer, subject: 'tester' };
    assert.deepEqual(await callerOf(idp.sign({ azp: 'cli', aud: 'x' })), caller);
  });

  it('accepts a token up to the configured length', async () => {
    const token = idp.sign({ azp: 'cli', x: 'x'.repeat(9000) });
    const verifier = (maxTokenLength: number) =>
      createVerifier({ issuers: [trust(idp)], clock, maxTokenLength });
    assert.equal(acceptNow(verifier(token.length), token).subject, 'tester');
    assert.match(await refusalOf(verifier(token.length - 1), token), /longer than/);
  });
});
