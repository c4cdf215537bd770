import assert from 'node:assert/strict';
import { histogramOf } from '../../../console/src/pages/audit/histogram.js';
import { type AuditRecord, outcomeOf } from '../../../console/src/pages/audit/record.js';
import {
  AUDITED_READS,
  auditLink,
  auditPath,
  exportPath,
  NO_FILTERS,
} from '../../../console/src/pages/audit/search.js';
import { describeOperations } from '../../../src/features/operations.js';

function recordAt(time: string, status = 200): AuditRecord {
  const caller = { requestId: 'r', subject: 'ada', issuer: 'i' };
  return { time, status, operation: 'o', target: '/t', outcome: 'ok', ...caller };
}

describe('the histogram of the audit trail', () => {
  it('has no cells without records', () => {
    assert.deepEqual(histogramOf([]), []);
  });

  it('counts every record once, in adjacent cells of equal length', () => {
    const begin = Date.UTC(2026, 0, 1);
    const records = Array.from({ length: 500 }, (_, at) =>
      recordAt(new Date(begin + at * at * 977).toISOString(), [200, 403, 503][at % 3]),
    );
    for (const most of [2, 7, 48]) {
      const cells = histogramOf(records, most);
      assert.ok(cells.length <= most, `${cells.length} cells of ${most}`);
      const sum = cells.reduce((all, { counts }) => all + counts.done + counts.refused + counts.failed, 0);
      assert.equal(sum, 500);
      for (const [at, cell] of cells.entries()) {
        assert.equal(cell.to - cell.from, cells[0]!.to - cells[0]!.from);
        if (at > 0) assert.equal(cell.from, cells[at - 1]!.to);
      }
      assert.ok(cells[0]!.from <= begin);
    }
  });

  it('covers a thousand years in at most 48 cells, and a single moment in one cell', () => {
    const far = [recordAt('1970-01-02T00:00:00.000Z'), recordAt('2999-01-01T00:00:00.000Z')];
    assert.ok(histogramOf(far).length <= 48);
    assert.equal(histogramOf([recordAt('2026-01-01T00:00:00.000Z')]).length, 1);
  });

  it('distinguishes refused requests from failed ones', () => {
    const found = [0, 200, 304, 400, 499, 500, 503].map((status) => outcomeOf({ status }));
    assert.deepEqual(found, ['done', 'done', 'done', 'refused', 'refused', 'failed', 'failed']);
  });
});

describe('the search of the audit trail', () => {
  const trailReads = new URLSearchParams({
    excludeOperations: 'audit.getAudit,audit.exportAuditCsv,audit.exportAuditJsonLines,console.getRequest',
  }).toString();

  it('sends the filled-in filters only', () => {
    assert.equal(auditPath(NO_FILTERS, 10), `/audit?${trailReads}&limit=10`);
    const path = auditPath({ ...NO_FILTERS, subject: ' ada ', target: '/a b', page: '3' }, 10);
    assert.equal(path, `/audit?subject=ada&target=%2Fa+b&${trailReads}&limit=10`);
  });

  it('sends the time of the address as since and until', () => {
    const time = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' };
    const query = 'since=2026-01-01T00%3A00%3A00Z&until=2026-01-01T01%3A00%3A00Z';
    assert.equal(auditPath({ ...NO_FILTERS, ...time }, 10), `/audit?${query}&${trailReads}&limit=10`);
    assert.equal(exportPath({ ...NO_FILTERS, ...time, reads: 'show' }, 'csv'), `/audit/export.csv?${query}`);
  });

  it('leaves nothing out of a search for an operation or a request, or when all records are wanted', () => {
    for (const filter of [{ operation: 'x' }, { requestId: 'x' }, { reads: 'show' }])
      assert.ok(!auditPath({ ...NO_FILTERS, ...filter }, 10).includes('excludeOperations'));
  });

  it('leaves out every audited operation that only reads', () => {
    const excluded = new URLSearchParams(auditPath({ ...NO_FILTERS, reads: 'hide' }).slice('/audit?'.length));
    assert.deepEqual(excluded.get('excludeOperations')?.split(','), AUDITED_READS);
    const audited = describeOperations().filter(({ row }) => row.audited);
    const names = new Set(audited.map(({ name }) => name));
    for (const name of AUDITED_READS) assert.ok(names.has(name), name);
    // The callback of an identity provider signs a person in.
    const reads = audited.filter(
      ({ name, row }) => row.method === 'GET' && !row.changes && name !== 'login.finishSignIn',
    );
    for (const { name } of reads) assert.ok(AUDITED_READS.includes(name), name);
  });

  it('exports what it finds, on all pages', () => {
    const actual = exportPath({ ...NO_FILTERS, subject: 'ada', before: '12-34' }, 'csv');
    assert.equal(actual, `/audit/export.csv?subject=ada&${trailReads}`);
    assert.equal(exportPath({ ...NO_FILTERS, reads: 'show' }, 'jsonl'), '/audit/export.jsonl');
  });

  it('links to records with the same operation', () => {
    const link = auditLink({ operation: 'profiles.updateProfile' });
    assert.equal(link, '/audit?operation=profiles.updateProfile');
  });
});
