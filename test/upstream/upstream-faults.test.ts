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
    for (const [title, written, ...expected] of [
      [
        'an invalid base URL among several',
        { baseUrls: ['http://a', 'http://b/%2e%2e'] },
        /^\/baseUrls\/1 its path/,
      ],
      [
        'a health path that leaves the base URL',
        { ...BASE, health: { path: '/../x' } },
        /^\/health\/path has a part of dots/,
      ],
      [
        'a login that applies a value that no step extracts',
        login({ apply: { header: 'X-A: {tokn}' } }),
        /^\/auth\/apply\/header names "\{tokn\}"/,
      ],
      [
        'a header of a login that belongs to the connection',
        login({ apply: { header: 'Host: {token}' } }),
        /^\/auth\/apply\/header does not begin/,
      ],
      [
        'a step whose path uses a value of a later step',
        login({ steps: [{ request: { path: '/{token}' } }, TAKE] }),
        /^\/auth\/steps\/0\/request\/path names "\{token\}"/,
      ],
      [
        'a step that leaves the base URL',
        login({ steps: [{ ...TAKE, request: { path: '/%2e%2e/x' } }] }),
        /^\/auth\/steps\/0\/request\/path has a part of dots/,
      ],
      [
        'a user name with a colon',
        login({ steps: [{ request: { path: '/', basic: { username: 'hunter2:x', password: 'p' } } }] }),
        /^\/auth\/steps\/0\/request\/basic\/username/,
      ],
      [
        'a header of a step with a line break',
        login({ steps: [{ request: { path: '/', headers: { 'X-A': 'hunter2\n' } } }] }),
        /^\/auth\/steps\/0\/request\/headers\/X-A/,
      ],
      [
        'a login whose result is not used',
        login({ apply: { cookies: false } }),
        /^\/auth\/apply adds neither/,
      ],
    ] as readonly (readonly [string, WrittenAdapter, RegExp])[]) {
      const faults = faultsOf(written);
      assert.equal(faults.length, expected.length, faults.join('\n'));
      assert.match(faults[0] ?? '', expected[0], title);
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
