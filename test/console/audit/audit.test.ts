import assert from 'node:assert/strict';
import { histogramOf } from '../../../console/src/pages/audit/histogram.js';
import { type AuditRecord, csvOf, outcomeOf, jsonLinesOf } from '../../../console/src/pages/audit/record.js';
import { auditLink, auditPath, NO_FILTERS } from '../../../console/src/pages/audit/search.js';

function recordAt(time: string, status = 200): AuditRecord {
  return {
    time,
    status,
    requestId: 'r',
    operation: 'o',
    subject: 'ada',
    issuer: 'i',
    target: '/t',
    outcome: 'ok',
  };
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
    assert.deepEqual(
      [0, 200, 304, 400, 499, 500, 503].map((status) => outcomeOf({ status })),
      ['done', 'done', 'done', 'refused', 'refused', 'failed', 'failed'],
    );
  });
});

describe('the search of the audit trail', () => {
  it('sends the filled-in filters only', () => {
    assert.equal(
      auditPath(NO_FILTERS, 10),
      '/audit?excludeOperations=audit.getAudit%2Cconsole.getRequest&limit=10',
    );
    assert.equal(
      auditPath({ ...NO_FILTERS, subject: ' ada ', target: '/a b', page: '3' }, 10),
      '/audit?subject=ada&target=%2Fa+b&excludeOperations=audit.getAudit%2Cconsole.getRequest&limit=10',
    );
  });

  it('leaves nothing out of a search for an operation or a request, or when searches are shown', () => {
    for (const name of ['operation', 'requestId', 'searches'])
      assert.ok(!auditPath({ ...NO_FILTERS, [name]: 'x' }, 10).includes('excludeOperations'), name);
  });

  it('links to records with the same operation', () => {
    assert.equal(
      auditLink({ operation: 'profiles.updateProfile' }),
      '/audit?operation=profiles.updateProfile',
    );
  });
});

describe('the export of the audit trail', () => {
  it('writes a header line and one line per record, quoted according to RFC 4180', () => {
    const [names, line] = csvOf([
      { ...recordAt('2026-01-01T00:00:00.000Z'), outcome: 'a "b", c\nd', seq: 7 },
    ]).split('\r\n');
    assert.ok(names?.startsWith('seq,time,requestId'));
    assert.equal(line, '7,2026-01-01T00:00:00.000Z,r,o,ada,i,/t,200,"a ""b"", c\nd",,,,,,,,');
  });

  it('writes no cell that a spreadsheet reads as a formula', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r']) {
      const csv = csvOf([{ ...recordAt('2026-01-01T00:00:00.000Z'), target: `${start}1+1` }]);
      assert.ok(csv.includes(`'${start}1+1`), JSON.stringify(start));
    }
  });

  it('writes each record as one line of JSON', () => {
    const records = [recordAt('2026-01-01T00:00:00.000Z'), recordAt('2026-01-02T00:00:00.000Z', 503)];
    const lines = jsonLinesOf(records).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      records,
    );
  });
});
