import assert from 'node:assert/strict';
import type { Call } from '../../../src/core/operation.js';
import { getReadiness, type PlatformDeps } from '../../../src/features/platform/operations.js';

describe('getReadiness', () => {
  const deps = (isOverloaded: boolean, isAuditWritable = true, isStopping = false): PlatformDeps => ({
    secrets: { vaultState: () => 'running', refreshNow: () => Promise.resolve(0) },
    isStopping: () => isStopping,
    isOverloaded: () => isOverloaded,
    isAuditWritable: () => Promise.resolve(isAuditWritable),
    hasSpace: () => Promise.resolve(true),
    metrics: () => Promise.resolve(''),
    version: '1',
  });

  const isNotReady = (cause: string) => ({ status: 503, message: new RegExp(`^${cause}:`) });

  it('finding F1: is not ready while an overload lasts', async () => {
    assert.deepEqual(await getReadiness.handle({} as Call, deps(false)), {
      body: { ready: true, vault: 'ok' },
    });
    await assert.rejects(async () => getReadiness.handle({} as Call, deps(true)), isNotReady('overload'));
  });

  it('is not ready while the database is full (bug: ready, and all changes got 507)', async () => {
    const full = { ...deps(false), hasSpace: () => Promise.resolve(false) };
    await assert.rejects(async () => getReadiness.handle({} as Call, full), isNotReady('store'));
  });

  for (const [when, cause, ...states] of [
    ['after a signal to stop', 'stopping', true, true],
    ['while the audit trail stores no record', 'audit', false, false],
  ] as const)
    it(`is not ready ${when}`, async () => {
      await assert.rejects(
        async () => getReadiness.handle({} as Call, deps(false, ...states)),
        isNotReady(cause),
      );
    });
});
