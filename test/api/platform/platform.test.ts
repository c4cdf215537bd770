import assert from 'node:assert/strict';
import { getReadiness, type PlatformDeps } from '../../../src/api/platform/platform.js';
import type { Call } from '../../../src/core/operation.js';
import { Problem } from '../../../src/core/problem.js';

describe('getReadiness', () => {
  const deps = (isOverloaded: boolean): PlatformDeps => ({
    secrets: { status: () => ({ state: 'running' }), refreshNow: () => Promise.resolve(0) },
    isOverloaded: () => isOverloaded,
    metrics: () => Promise.resolve(''),
    version: '1',
  });

  it('finding F1: is not ready while an overload lasts', () => {
    assert.deepEqual(getReadiness.handle({} as Call, deps(false)), { body: { ready: true, vault: 'ok' } });
    assert.throws(
      () => getReadiness.handle({} as Call, deps(true)),
      (error) => error instanceof Problem && error.status === 503 && error.message.startsWith('overload:'),
    );
  });
});
