import assert from 'node:assert/strict';
import { canInject } from './faults/trial.js';
import { tryFaults } from './faults/try-faults.js';

// All of them are tried by `npm run evidence -- faults`.
describe('D3: system calls that fail', function () {
  this.timeout(120_000);

  before(function () {
    // Needs the kernel's help; without it (no strace, no right to trace) there is nothing to test with.
    if (!canInject()) this.skip();
  });

  const once = { errors: ['ENOSPC'], lanes: 2 };

  it('cost nothing that was acknowledged, and leave nothing half', async () => {
    const plan = { ...once, calls: ['write', 'fsync', 'fdatasync'], every: 7 } as const;
    const { faults, acknowledged, violations } = await tryFaults(plan);
    assert.deepEqual(violations, []);
    assert.ok(faults > 0 && acknowledged > 0);
  });

  it('are seen to cost something where files do not hear of them', async () => {
    const plan = { ...once, subjects: ['server'], calls: ['fdatasync'], first: 3, every: 100 } as const;
    const { violations } = await tryFaults({ ...plan, isDeaf: true });
    assert.notDeepEqual(violations, []);
  });
});
