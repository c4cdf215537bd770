import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { CountedAuditTrail } from '../../../../src/features/audit/audit-trail.js';
import { openAuditTrail } from '../../../../src/features/audit/trail/open-audit-trail.js';
import { auditRecord } from '../../../support/audit-record.js';
import { column } from '../../../support/columns.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('the audit files of workers', () => {
  const file = join(temporaryFolder().path, 'audit.log');
  const trails: CountedAuditTrail[] = [];

  before(async () => {
    // One after the other, as the workers of a server: the first creates the key.
    for (const chain of [0, 1, 2])
      trails.push(await openAuditTrail({ file, durability: 'written' }, { chain }));
    for (let at = 0; at < 30; at += 1) {
      const time = new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString();
      await trails[at % 3]!.append(auditRecord(`r${at}`, { time }));
    }
  });
  after(async () => {
    for (const trail of trails) await trail.close();
  });

  const newestFirst = Array.from({ length: 30 }, (_, at) => `r${29 - at}`);

  it('is found by any of them, newest record first, page by page', async () => {
    const found: unknown[] = [];
    for (let before: string | undefined, first = true; first || before !== undefined; first = false) {
      const page = await trails[1]!.find({ limit: 7, ...(before !== undefined && { before }) });
      found.push(...column(page.results, 'requestId'));
      before = page.next;
    }
    const calls = found.filter((id) => newestFirst.includes(String(id)));
    assert.deepEqual(calls, newestFirst);
  });

  it('continues a page after a further process has begun a file', async () => {
    const { next } = await trails[0]!.find({ limit: 5 });
    const later = await openAuditTrail({ file, durability: 'written' }, { chain: 3 });
    await later.append(auditRecord('later', { time: '2026-02-01T00:00:00.000Z' }));
    const page = await later.find({ limit: 3, before: next! });
    await later.close();
    assert.deepEqual(column(page.results, 'requestId'), newestFirst.slice(5, 8));
  });

  it('is verified as a whole', async () => {
    const { whole, others } = await trails[0]!.verify({});
    assert.deepEqual([whole, others?.length], [true, 3]);
  });
});
