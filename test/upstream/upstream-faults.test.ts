import assert from 'node:assert/strict';
import { upstreamFaults } from '../../src/upstream/upstream-faults.js';
import { adapterSettings, type WrittenAdapter } from '../support/adapter-settings.js';

const BASE = { baseUrl: 'http://a' };
const TAKE = { request: { path: '/login', body: { password: 'hunter2' } }, take: { token: '/token' } };

function faultsOf(written: WrittenAdapter): readonly string[] {
  const faults = upstreamFaults(adapterSettings(written));
  assert.doesNotMatch(JSON.stringify(faults), /hunter2/);
  return faults.map(({ pointer, message }) => `${pointer} ${message}`);
}

const login = (more: WrittenAdapter): WrittenAdapter => ({
  ...BASE,
  auth: { type: 'login', steps: [TAKE], ...more },
});

describe('upstreamFaults of login and probe', () => {
  it('reports each fault', () => {
    const step = (request: WrittenAdapter) => login({ steps: [{ request }] });
    for (const [written, expected] of [
      [{ baseUrls: ['http://a', 'http://b/%2e%2e'] }, /^\/baseUrls\/1 its path/],
      [{ ...BASE, health: { path: '/../x' } }, /^\/health\/path has a part of dots/],
      [login({ apply: { header: 'X-A: {tokn}' } }), /^\/auth\/apply\/header names "\{tokn\}"/],
      [login({ apply: { header: 'Host: {token}' } }), /^\/auth\/apply\/header does not begin/],
      [
        login({ steps: [{ request: { path: '/{token}' } }, TAKE] }),
        /^\/auth\/steps\/0\/request\/path names "\{token\}"/,
      ],
      [
        login({ steps: [{ ...TAKE, request: { path: '/%2e%2e/x' } }] }),
        /^\/auth\/steps\/0\/request\/path has a part of dots/,
      ],
      [
        step({ path: '/', basic: { username: 'hunter2:x', password: 'p' } }),
        /^\/auth\/steps\/0\/request\/basic\/username/,
      ],
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
    assert.deepEqual(faultsOf({ baseUrl: 'http://x', cache: { rules } }), [
      '/cache/rules/0/ttlSeconds is longer than maxSeconds',
      '/cache/rules/1/overridesReplies needs a freshness',
      '/cache/rules/2/paths are all decided by an earlier rule',
      '/cache/rules/4/paths are all decided by an earlier rule',
    ]);
  });

  it('is empty for a valid login', () => {
    const second = {
      request: { method: 'GET', path: '/x/{token}?y={token}', headers: { 'X-A': '{token}' } },
    };
    assert.deepEqual(
      faultsOf(login({ steps: [TAKE, second], apply: { header: 'X-A: {token} {token}' } })),
      [],
    );
  });
});
