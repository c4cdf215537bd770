import assert from 'node:assert/strict';
import { discoveryUrl, keyUrl, parseIssuerJson } from '../../src/auth/fetch-keys.js';

describe('keyUrl', () => {
  for (const text of [
    'https://a.test/jwks',
    'http://localhost/',
    'http://127.0.0.1:8080/',
    'http://[::1]/a?b',
  ])
    it(`accepts ${text}`, () => {
      assert.equal(keyUrl(text)?.href, text);
    });

  it('rejects every other form', () => {
    for (const text of [
      ...['http://a.test/', 'http://evil-localhost/', 'http://a.localhost/', 'http://localhost.evil.test/'],
      ...['http://127.0.0.1.evil.test/', 'http://evil127.0.0.test/', 'http://[::2]/', 'ftp://localhost/'],
      ...['https://u@a.test/', 'https://:p@a.test/', 'a.test', ''],
    ])
      assert.equal(keyUrl(text), undefined, text);
  });

  it('discoveryUrl accepts an issuer that is a URL without query and fragment', () => {
    const behind = '.well-known/openid-configuration';
    assert.equal(discoveryUrl('https://a.test'), `https://a.test/${behind}`);
    assert.equal(discoveryUrl('https://a.test/realm/'), `https://a.test/realm/${behind}`);
    for (const issuer of ['https://a.test/?b', 'https://a.test/#b', 'http://a.test', 'a'])
      assert.equal(discoveryUrl(issuer), undefined, issuer);
  });
});

describe('parseIssuerJson', () => {
  it('ignores one byte order mark (bug: a key set with one refused all tokens)', () => {
    assert.deepEqual(parseIssuerJson(Buffer.from('\ufeff{"keys":[]}')), { keys: [] });
    assert.throws(() => parseIssuerJson(Buffer.from('\ufeff\ufeff{}')), /not well-formed/);
  });
});
