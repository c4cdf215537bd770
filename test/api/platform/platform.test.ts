import assert from 'node:assert/strict';
import { getReadiness, type PlatformDeps } from '../../../src/api/platform/platform.js';
import type { Call } from '../../../src/core/operation.js';
import { Problem } from '../../../src/core/problem.js';

describe('getReadiness', () => {
  const deps = (isOverloaded: boolean, isAuditWritable = true, isStopping = false): PlatformDeps => ({
    secrets: { vaultState: () => 'running', refreshNow: () => Promise.resolve(0) },
    isStopping: () => isStopping,
    isOverloaded: () => isOverloaded,
    isAuditWritable: () => Promise.resolve(isAuditWritable),
    metrics: () => Promise.resolve(''),
    version: '1',
  });

  const isNotReady =
    (cause: string) =>
    (error: unknown): boolean =>
      error instanceof Problem && error.status === 503 && error.message.startsWith(`${cause}:`);

  it('finding F1: is not ready while an overload lasts', async () => {
    assert.deepEqual(await getReadiness.handle({} as Call, deps(false)), {
      body: { ready: true, vault: 'ok' },
    });
    await assert.rejects(async () => getReadiness.handle({} as Call, deps(true)), isNotReady('overload'));
  });

  it('is not ready after a signal to stop', async () => {
    await assert.rejects(
      async () => getReadiness.handle({} as Call, deps(false, true, true)),
      isNotReady('stopping'),
    );
  });

  it('is not ready while the audit trail stores no record', async () => {
    await assert.rejects(
      async () => getReadiness.handle({} as Call, deps(false, false)),
      isNotReady('audit'),
    );
  });
});
