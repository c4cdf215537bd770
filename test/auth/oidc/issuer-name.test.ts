import assert from 'node:assert/strict';
import {
  isShownIssuer,
  issuerDifference,
  otherSpellings,
  realmOf,
} from '../../../src/auth/oidc/issuer-check.js';

describe('issuerDifference', () => {
  const base = 'https://idp.example/realms/net';
  it('names what differs', () => {
    for (const [configured, named, difference] of [
      [base, `${base}/`, 'the trailing slash'],
      [base, 'http://idp.example/realms/net', 'https instead of http'],
      [base, 'https://idp.example:8443/realms/net', 'the port'],
      [base, 'https://sso.example/realms/net', 'the host'],
      [base, 'https://idp.example/realms/Net', 'the realm'],
      [base, 'https://idp.example/auth/realms/net', 'the path'],
      [base, 'https://sso.example:8443/realms/lab', 'the host and the realm'],
      [base, 'https://IDP.example/realms/net', 'the spelling'],
      [base, 'https://idp.example/net', 'the path'],
      ['https://idp.example/net', base, 'the path'],
      ['http://idp.example/', 'https://idp.example/a', 'http instead of https and the path'],
      ['http://127.0.0.1/a', 'http://127.0.0.1/b', 'the path'],
    ] as const)
      assert.equal(issuerDifference(configured, named), difference, named);
  });
});

describe('otherSpellings', () => {
  it('contains the path of Keycloak with and without /auth, the version 2 of Entra, and the other scheme', () => {
    for (const [issuer, other] of [
      ['https://kc.example/realms/net', 'https://kc.example/auth/realms/net'],
      ['https://kc.example/auth/realms/net', 'https://kc.example/realms/net'],
      ['https://login.example/tenant', 'https://login.example/tenant/v2.0'],
      ['https://127.0.0.1:1/a', 'http://127.0.0.1:1/a'],
      ['http://127.0.0.1:1/a', 'https://127.0.0.1:1/a'],
    ] as const)
      assert.ok(otherSpellings(issuer).includes(other), other);
  });

  it('contains http for this host alone', () => {
    assert.ok(otherSpellings('https://idp.example/a').every((one) => one.startsWith('https:')));
  });
});

describe('isShownIssuer', () => {
  it('admits a URL of usual length alone, so that a server chooses no text of a message', () => {
    assert.ok(isShownIssuer('https://idp.example/a'));
    assert.ok(isShownIssuer('https://idp.example/'.padEnd(300, 'a')));
    const long = `https://idp.example/${'a'.repeat(300)}`;
    for (const named of [undefined, 7, 'call 0123', long, 'ftp://idp.example'])
      assert.ok(!isShownIssuer(named), String(named));
  });
});

describe('realmOf', () => {
  it('returns the realm of a Keycloak path alone', () => {
    const paths = ['/realms/net', '/auth/realms/net/', '/tenant/v2.0', '/realms/', '/realms/net/account'];
    assert.deepEqual(paths.map(realmOf), ['net', 'net', undefined, undefined, undefined]);
  });
});
