import assert from 'node:assert/strict';
import { CHAIN_START, chained } from '../../../src/features/audit/chain.js';
import { CSV_HEADER, csvLines, jsonLines } from '../../../src/features/audit/export.js';
import { auditLine } from '../../../src/features/audit/trail/audit-line.js';
import { auditRecord, seal } from '../../support/audit-record.js';

describe('the lines of an export of the audit trail', () => {
  it('have a line of CSV per record, quoted according to RFC 4180', () => {
    assert.ok(CSV_HEADER.startsWith('seq,time,requestId'));
    const line = csvLines([auditRecord('r', { outcome: 'a "b", c\nd' })]);
    assert.ok(line.includes(',200,"a ""b"", c\nd",12.5,'), line);
    assert.ok(line.endsWith(',\r\n'));
  });

  it('have no cell that a spreadsheet reads as a formula', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r', ' =', '\n=']) {
      const csv = csvLines([auditRecord('r', { target: `${start}1+1` })]);
      assert.ok(csv.includes(`'${start}1+1`), JSON.stringify(start));
    }
  });

  it('are the lines of the audit file, so that their seals can be verified', () => {
    const records = [
      auditRecord('a'),
      auditRecord('b', { name: 'Ada\u2028', reason: 'full', outcome: '\u202e' }),
    ];
    const links = chained(records, CHAIN_START, seal);
    assert.equal(jsonLines(links), links.map((link) => `${auditLine(link)}\n`).join(''));
  });
});
