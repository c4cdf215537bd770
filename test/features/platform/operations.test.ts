import assert from 'node:assert/strict';
import type { Call } from '../../../src/core/operation.js';
import { getReadiness, type PlatformDeps } from '../../../src/features/platform/operations.js';

describe('getReadiness', () => {
  const DEPS: PlatformDeps = {
    secrets: { vaultState: () => 'running', refreshNow: () => Promise.resolve(0) },
    isStopping: () => false,
    isOverloaded: () => false,
    isAuditWritable: () => Promise.resolve(true),
    hasSpace: () => Promise.resolve(true),
    metrics: () => Promise.resolve(''),
    version: '1',
  };
  const read = async (changes: Partial<PlatformDeps>) =>
    getReadiness.handle({} as Call, { ...DEPS, ...changes });
  const yes = () => true;
  const no = () => Promise.resolve(false);

  it('is ready with a working Vault', async () => {
    assert.deepEqual(await read({}), { body: { ready: true, vault: 'ok' } });
  });

  for (const [when, cause, changes] of [
    ['finding F1: while an overload lasts', 'overload', { isOverloaded: yes }],
    ['while the database is full (bug: ready, and all changes got 507)', 'store', { hasSpace: no }],
    ['after a signal to stop, also with an overload', 'stopping', { isStopping: yes, isOverloaded: yes }],
    ['while the audit trail stores no record', 'audit', { isAuditWritable: no }],
  ] as const)
    it(`is not ready ${when}`, async () => {
      await assert.rejects(read(changes), { status: 503, message: new RegExp(`^${cause}:`) });
    });
});
