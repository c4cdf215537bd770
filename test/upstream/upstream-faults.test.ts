import assert from 'node:assert/strict';
import { Secret } from '../../src/core/secret.js';
import type { AdapterSettings } from '../../src/settings/adapter.js';
import { upstreamFaults } from '../../src/upstream/upstream-faults.js';
import { adapterSettings, type WrittenAdapter } from '../support/adapter-settings.js';

const BASE = { baseUrl: 'http://a' };
const TAKE = { request: { path: '/login', body: { password: 'hunter2' } }, take: { token: '/token' } };

function faultsIn(settings: AdapterSettings): readonly string[] {
  const faults = upstreamFaults(settings);
  assert.doesNotMatch(JSON.stringify(faults), /hunter2/);
  return faults.map(({ pointer, message }) => `${pointer} ${message}`);
}

const pointersIn = (faults: readonly string[]) => faults.map((fault) => fault.split(' ')[0]);

const faultsOf = (written: WrittenAdapter) =>
  faultsIn(adapterSettings('baseUrls' in written ? written : { ...BASE, ...written }));

const login = (more: WrittenAdapter): WrittenAdapter => ({ auth: { type: 'login', steps: [TAKE], ...more } });

describe('upstreamFaults of base URL and credentials', () => {
  /** Returns the pointers of the faults of settings, which the schema need not permit. */
  const pointersOf = (more: Partial<AdapterSettings>) =>
    pointersIn(faultsIn({ ...adapterSettings(BASE), ...more }));

  it('is empty for valid settings', () => {
    for (const auth of [
      { type: 'none' },
      { type: 'basic', username: 'ü', password: new Secret('a:b\n') },
      { type: 'bearer', token: new Secret('a.b') },
      { type: 'header', name: 'X_Token', value: new Secret('') },
    ] as const)
      assert.deepEqual(pointersOf({ baseUrl: 'https://nso.example/restconf', auth }), [], auth.type);
  });

  it('locates what is invalid, and does not repeat it', () => {
    const value = new Secret('hunter2');
    for (const [pointer, more] of [
      ['/baseUrl', { baseUrl: 'https://admin:hunter2@nso.example/' }],
      ['/auth/username', { auth: { type: 'basic', username: 'a:b', password: new Secret('') } }],
      ['/auth/token', { auth: { type: 'bearer', token: new Secret('hunter2\n') } }],
      ['/auth/value', { auth: { type: 'header', name: 'X', value: new Secret('hunter2\r\nY: z') } }],
      ['/auth/name', { auth: { type: 'header', name: 'Host', value } }],
      ['/auth/name', { auth: { type: 'header', name: 'a b', value } }],
    ] as const)
      assert.deepEqual(pointersOf(more), [pointer]);
  });
});

describe('upstreamFaults of login and probe', () => {
  it('reports each fault', () => {
    const step = (request: WrittenAdapter, ...others: readonly object[]) =>
      login({ steps: [{ request, take: { token: '/token' } }, ...others] });
    const BASIC = { username: 'hunter2:x', password: 'p' };
    for (const [written, expected] of [
      [{ baseUrls: ['http://a', 'http://b/%2e%2e'] }, /^\/baseUrls\/1 its path/],
      [{ health: { path: '/../x' } }, /^\/health\/path has a part of dots/],
      [login({ apply: { header: 'X-A: {tokn}' } }), /^\/auth\/apply\/header names "\{tokn\}"/],
      [login({ apply: { header: 'Host: {token}' } }), /^\/auth\/apply\/header does not begin/],
      [step({ path: '/{token}' }, TAKE), /^\/auth\/steps\/0\/request\/path names "\{token\}"/],
      [step({ path: '/%2e%2e/x' }), /^\/auth\/steps\/0\/request\/path has a part of dots/],
      [step({ path: '/', basic: BASIC }), /^\/auth\/steps\/0\/request\/basic\/username/],
      [step({ path: '/', headers: { 'X-A': 'hunter2\n' } }), /^\/auth\/steps\/0\/request\/headers\/X-A/],
      [login({ apply: { cookies: false } }), /^\/auth\/apply adds neither/],
    ] as const) {
      const [fault = '', ...others] = faultsOf(written);
      assert.match(fault, expected);
      assert.deepEqual(others, []);
    }
  });

  it('reports rules of the cache that contradict themselves, or are never used', () => {
    const rules = [
      { paths: ['/a', '/b'], ttlSeconds: 4000 },
      { paths: ['/c'], overridesReplies: true },
      { paths: ['/a'] },
      { paths: ['/**'] },
      { paths: ['/d'] },
    ];
    assert.deepEqual(faultsOf({ cache: { rules } }), [
      '/cache/rules/0/ttlSeconds is longer than maxSeconds',
      '/cache/rules/1/overridesReplies needs a freshness',
      '/cache/rules/2/paths are all decided by an earlier rule',
      '/cache/rules/4/paths are all decided by an earlier rule',
    ]);
  });

  it('is empty for a valid login', () => {
    const second = { method: 'GET', path: '/x/{token}?y={token}', headers: { 'X-A': '{token}' } };
    const steps = [TAKE, { request: second }];
    assert.deepEqual(faultsOf(login({ steps, apply: { header: 'X-A: {token} {token}' } })), []);
  });

  it('reports a colon in a client ID that is not encoded', () => {
    const client = { tokenUrl: 'https://a.example/token', clientId: 'a:b', clientSecret: 'hunter2' };
    for (const [encoding, expected] of [
      ['json', ['/auth/clientId']],
      ['form', []],
    ] as const)
      assert.deepEqual(pointersIn(faultsOf({ auth: { type: 'oauth2', ...client, encoding } })), expected);
  });
});
