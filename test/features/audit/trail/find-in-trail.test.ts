import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditPage } from '../../../../src/features/audit/audit-trail.js';
import { findInTrail } from '../../../../src/features/audit/trail/find-in-trail.js';
import { openAuditTrail } from '../../../../src/features/audit/trail/open-audit-trail.js';
import { auditRecord } from '../../../support/audit-record.js';
import { column } from '../../../support/columns.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const RECORDS = 4000;

describe('findInTrail', () => {
  const file = join(temporaryFolder().path, 'audit.log');

  before(async () => {
    const trail = await openAuditTrail({ file, durability: 'written' }, {});
    const outcome = 'x'.repeat(200);
    const records = Array.from({ length: RECORDS }, (_, at) => auditRecord(`r${at}`, { outcome }));
    await Promise.all(records.map((record) => trail.append(record)));
    await trail.close();
  });

  it('finds every record across block boundaries', async () => {
    const { results, next } = await findInTrail(file, { limit: RECORDS + 1 });
    assert.equal(next, undefined);
    const newestFirst = Array.from({ length: RECORDS }, (_, at) => `r${RECORDS - 1 - at}`);
    assert.deepEqual(column(results, 'requestId'), newestFirst);
  });

  it('stops after the maximum number of bytes, marks the page as partial and continues from its cursor', async () => {
    const pages: AuditPage[] = [];
    for (let before: string | undefined, first = true; first || before !== undefined; first = false) {
      const page = await findInTrail(file, { limit: 5, requestId: 'r1', ...(before && { before }) }, 100_000);
      pages.push(page);
      before = page.next;
    }
    assert.ok(pages.length > 10);
    assert.ok(pages.slice(0, -1).every(({ partial, results }) => partial && results.length === 0));
    assert.deepEqual(column(pages.at(-1)?.results, 'requestId'), ['r1']);
  });

  it('skips lines that are not records and an unfinished line', async () => {
    const { durationMs, ...untimed } = auditRecord('untimed');
    assert.equal(durationMs, 12.5);
    appendFileSync(file, `${JSON.stringify(untimed)}\ntorn\n\n{"seq":1}\n[]\nnull\n{"time":"20`);
    const { results } = await findInTrail(file, { limit: 2 });
    assert.deepEqual(column(results, 'requestId'), [`r${RECORDS - 1}`, `r${RECORDS - 2}`]);
  });

  it('rejects a cursor of another file and a cursor after the end of the file', async () => {
    const { next = '' } = await findInTrail(file, { limit: 1 });
    const [inode = ''] = next.split('-');
    for (const before of [`1${next}`, `${inode}-999999999`, ` ${next}`, `${next} `, ''])
      await assert.rejects(findInTrail(file, { limit: 1, before }), {
        code: 'invalid_request',
        message: 'before is not a cursor of the current audit file: start again without it.',
      });
  });
});
