import assert from 'node:assert/strict';
import type { Adapter } from '../../../src/core/adapter.js';
import { upstreamProblem } from '../../../src/features/lib/upstream-problem.js';

const adapter: Adapter = { translate: ({ method, path }) => [{ method, path, headers: {} }] };
const replyOf = (status: number, body = '{"why":"x"}', type = 'application/json') => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(body),
});

describe('upstreamProblem', () => {
  const expected: readonly (readonly [number, string, number])[] = [
    [302, 'upstream_failed', 502],
    [400, 'upstream_rejected', 400],
    [401, 'upstream_auth', 502],
    [403, 'upstream_auth', 502],
    [404, 'upstream_rejected', 404],
    [407, 'upstream_auth', 502],
    [409, 'upstream_rejected', 409],
    [429, 'upstream_rejected', 429],
    [500, 'upstream_failed', 502],
    [503, 'upstream_failed', 502],
    [999, 'upstream_failed', 502],
  ];
  it('has the code and the status for the status of the orchestrator', () => {
    for (const [upstream, code, status] of expected) {
      const problem = upstreamProblem(adapter, replyOf(upstream));
      assert.deepEqual([problem.code, problem.status], [code, status], String(upstream));
      assert.deepEqual(problem.extras.upstream, { status: upstream, body: { why: 'x' } }, String(upstream));
    }
  });

  it('contains text unchanged and decodes other bytes with replacement characters', () => {
    for (const [reply, body] of [
      [replyOf(500, 'oops', 'text/plain'), 'oops'],
      [replyOf(500, '{broken'), '{broken'],
      [{ ...replyOf(500), body: Buffer.from([0xff, 0x41]) }, '\ufffdA'],
    ] as const)
      assert.equal(upstreamProblem(adapter, reply).extras.upstream?.body, body);
  });

  it('contains the explanation of the plugin if there is one', () => {
    const errors = [{ pointer: '/x', message: 'y' }];
    const explain = () => ({ detail: 'no such interface', errors });
    const { message, extras } = upstreamProblem({ ...adapter, explain }, replyOf(404));
    assert.deepEqual([message, extras.errors], ['no such interface', errors]);
  });

  it('has the location of a redirect, and says if only the slash at its end differs', () => {
    for (const [path, location, advice] of [
      ['/api/dcim/devices', '/api/dcim/devices/', /^Write a slash at the end of the path/],
      ['/api/dcim/devices?limit=1', '/api/dcim/devices/?limit=1', /^Write a slash at the end of the path/],
      ['/api/dcim/devices/', '/api/dcim/devices', /^Leave out the slash/],
      ['/api/dcim', '/api/v2/dcim', /^Use the path in "location"/],
      ['/api', 'https://other.example/api/', /^Ask the operator to correct baseUrl/],
      ['/api', '//other.example/api/', /^Ask the operator to correct baseUrl/],
    ] as const) {
      const { extras } = upstreamProblem(adapter, replyOf(301, '', 'text/plain'), { path, location });
      assert.deepEqual(extras.upstream, { status: 301, location, body: '' });
      assert.match(extras.advice ?? '', advice, `${path} ${location}`);
    }
  });

  it('has no location for other replies, and for a redirect without one', () => {
    const created = upstreamProblem(adapter, replyOf(409), { path: '/a', location: '/a/' });
    const without = upstreamProblem(adapter, replyOf(304), { path: '/a', location: undefined });
    for (const { extras } of [created, without]) {
      assert.equal('location' in (extras.upstream ?? {}), false);
      assert.equal(extras.advice, undefined);
    }
  });
});
