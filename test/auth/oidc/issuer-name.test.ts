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
    for (const [named, difference] of [
      [`${base}/`, 'the trailing slash'],
      ['http://idp.example/realms/net', 'https instead of http'],
      ['https://idp.example:8443/realms/net', 'the port'],
      ['https://sso.example/realms/net', 'the host'],
      ['https://idp.example/realms/Net', 'the realm'],
      ['https://idp.example/auth/realms/net', 'the path'],
      ['https://sso.example:8443/realms/lab', 'the host and the realm'],
      ['https://IDP.example/realms/net', 'the spelling'],
    ] as const)
      assert.equal(issuerDifference(base, named), difference, difference);
  });

  it('names http that is configured instead of https', () => {
    assert.equal(
      issuerDifference('http://idp.example/', 'https://idp.example/a'),
      'http instead of https and the path',
    );
    assert.equal(issuerDifference('http://127.0.0.1/a', 'http://127.0.0.1/b'), 'the path');
  });

  it('names the path if only one issuer has a realm', () => {
    assert.equal(issuerDifference(base, 'https://idp.example/net'), 'the path');
    assert.equal(issuerDifference('https://idp.example/net', base), 'the path');
  });
});

describe('otherSpellings', () => {
  it('contains the path of an old Keycloak, and the path without it', () => {
    assert.ok(otherSpellings('https://kc.example/realms/net').includes('https://kc.example/auth/realms/net'));
    assert.ok(otherSpellings('https://kc.example/auth/realms/net').includes('https://kc.example/realms/net'));
  });

  it('contains the version 2 of an Entra tenant', () => {
    assert.ok(otherSpellings('https://login.example/tenant').includes('https://login.example/tenant/v2.0'));
  });

  it('contains the other scheme, but http for this host alone', () => {
    assert.ok(otherSpellings('https://127.0.0.1:1/a').includes('http://127.0.0.1:1/a'));
    assert.ok(otherSpellings('http://127.0.0.1:1/a').includes('https://127.0.0.1:1/a'));
    assert.ok(otherSpellings('https://idp.example/a').every((one) => one.startsWith('https:')));
  });
});

describe('isShownIssuer', () => {
  it('admits a URL of usual length alone, so that a server chooses no text of a message', () => {
    assert.ok(isShownIssuer('https://idp.example/a'));
    assert.ok(isShownIssuer('https://idp.example/'.padEnd(300, 'a')));
    for (const named of [
      undefined,
      7,
      'call 0123',
      `https://idp.example/${'a'.repeat(300)}`,
      'ftp://idp.example',
    ])
      assert.ok(!isShownIssuer(named), String(named));
  });
});

describe('realmOf', () => {
  it('returns the realm of a Keycloak path alone', () => {
    const paths = ['/realms/net', '/auth/realms/net/', '/tenant/v2.0', '/realms/', '/realms/net/account'];
    assert.deepEqual(paths.map(realmOf), ['net', 'net', undefined, undefined, undefined]);
  });
});
