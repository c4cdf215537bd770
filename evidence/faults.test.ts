import assert from 'node:assert/strict';
import { STRACE } from '../test/support/need-list.js';
import { describeWith } from '../test/support/needs.js';
import { tryFaults } from './faults/try-faults.js';

// `npm run evidence -- faults` tests all of them.
describeWith(STRACE, 'D3: failing system calls', function () {
  this.timeout(120_000);

  it('lose no write that the server has acknowledged', async () => {
    const plan = { subjects: ['server'], calls: ['write', 'fdatasync'], errors: ['ENOSPC'] } as const;
    const report = await tryFaults({ ...plan, first: 5, every: 5, last: 5, lanes: 2 });
    assert.deepEqual(report.violations, []);
    assert.ok(report.faults > 0 && report.acknowledged > 0);
  });

  const writes = { subjects: ['files'], calls: ['write'], errors: ['ENOSPC'], every: 1, lanes: 2 } as const;

  it('leave no incomplete file (bug: a failed backup left an incomplete file)', async () => {
    const { faults, violations } = await tryFaults(writes);
    assert.deepEqual(violations, []);
    assert.ok(faults > 0);
  });

  it('leave incomplete files when the writer ignores errors (control)', async () => {
    const { violations } = await tryFaults({ ...writes, isDeaf: true });
    assert.notDeepEqual(violations, []);
  });
});
