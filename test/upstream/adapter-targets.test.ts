import assert from 'node:assert/strict';
import { newTargets, targetHosts } from '../../src/upstream/adapter-targets.js';

const BEFORE = {
  baseUrls: ['https://a.example/x', 'https://b.example'],
  auth: { type: 'oauth2', tokenUrl: 'https://sso.example/token' },
  options: { properties: { host: 'a.example', port: 443, retries: 3, paths: ['https://a.example'] } },
};

describe('finding F12: newTargets', () => {
  const changed = (change: object): readonly string[] =>
    newTargets({ ...BEFORE, ...change }, BEFORE).map(({ pointer }) => pointer);

  it('returns nothing for the same origins in another order, with another path, or fewer', () => {
    assert.deepEqual(changed({}), []);
    assert.deepEqual(changed({ baseUrls: ['https://b.example:443/y', 'https://A.example'] }), []);
    assert.deepEqual(changed({ baseUrls: undefined, baseUrl: 'https://b.example' }), []);
    assert.deepEqual(changed({ options: { properties: { ...BEFORE.options.properties, retries: 4 } } }), []);
  });

  it('returns the expected value for each input', () => {
    for (const [pointer, change] of [
      ['/baseUrls/1', { baseUrls: ['https://a.example', 'https://c.example'] }],
      ['/baseUrl', { baseUrl: 'http://a.example' }],
      ['/baseUrl', { baseUrl: 'https://a.example:8443' }],
      ['/baseUrl', { baseUrl: 'https://sso.example' }],
      ['/auth/tokenUrl', { auth: { tokenUrl: 'https://a.example/token' } }],
      ['/proxy', { proxy: 'http://proxy.example:3128' }],
      ['/tls/insecure', { tls: { insecure: true } }],
      ['/options/properties/host', { options: { properties: { host: 'c.example' } } }],
      ['/options/properties/port', { options: { properties: { port: 444 } } }],
      ['/options/properties/sso/host', { options: { properties: { sso: { host: 'a.example' } } } }],
    ] as const)
      assert.deepEqual(changed(change), [pointer], pointer);
  });
});

describe('targetHosts', () => {
  it('lists each host once, and the base URLs last, which may be many', () => {
    const baseUrls = ['https://nso1.example.com:8443/restconf', 'https://nso2.example.com/'];
    const auth = { type: 'oauth2', tokenUrl: 'https://login.example.com/token?tenant=1' };
    assert.deepEqual(
      targetHosts({ baseUrls, auth, proxy: 'http://user:pw@proxy.example.com:3128', model: 'x' }),
      [
        'https://login.example.com',
        'http://proxy.example.com:3128',
        'https://nso1.example.com:8443',
        'https://nso2.example.com',
      ],
    );
    assert.deepEqual(targetHosts({ options: { host: 'nso1.example.com', port: 830 } }), ['nso1.example.com']);
  });
});
