import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  AUDIT_FIELDS,
  chained,
  CHAIN_START,
  type ChainedRecord,
  OPTIONAL_AUDIT_FIELDS,
} from '../../../../src/features/audit/chain.js';
import { auditLine, isChained, readAuditLine } from '../../../../src/features/audit/trail/audit-line.js';
import { escapeUnprintable } from '../../../../src/lib/escape-unprintable.js';
import { anyText } from '../../../support/any-text.js';
import { auditRecord, seal } from '../../../support/audit-record.js';

const TEXTS = ['time', 'requestId', 'operation', 'subject', 'issuer', 'target', 'outcome'];

describe('readAuditLine', () => {
  const link = (outcome = ''): ChainedRecord =>
    chained([auditRecord('r', { outcome })], CHAIN_START, seal)[0]!;
  const read = (value: unknown) => readAuditLine(Buffer.from(JSON.stringify(value)));

  it('reads back any record, which is the JSON of its members in a fixed order (property)', () => {
    const members = ['seq', ...AUDIT_FIELDS, ...OPTIONAL_AUDIT_FIELDS, 'prev', 'hash'];
    const texts = { subject: anyText(), issuer: anyText(), target: anyText(), outcome: anyText() };
    const changes = fc.record(
      { ...texts, name: anyText(), clientAddress: anyText(), reason: anyText(), status: fc.integer() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(changes, (one) => {
        const [record] = chained([auditRecord('r', one)], CHAIN_START, seal);
        assert.ok(record);
        const line = auditLine(record);
        assert.equal(line, escapeUnprintable(JSON.stringify(record, members)));
        assert.deepEqual(readAuditLine(Buffer.from(line)), record);
      }),
      { numRuns: 500 },
    );
  });

  it('rejects a line that auditLine would write differently', () => {
    const line = auditLine(link());
    for (const other of [`${line} `, line.replace('"seq":1', '"seq":1.0'), `${line.slice(0, -1)},"more":1}`])
      assert.equal(readAuditLine(Buffer.from(other)), undefined, other);
  });

  it('reads a record without a chain and without states from earlier versions', () => {
    const { before, after, ...previous } = auditRecord('old');
    assert.deepEqual(read(previous), { ...previous, before, after });
    for (const name of [...TEXTS, 'status', 'durationMs'])
      assert.equal(read({ ...previous, [name]: [] }), undefined, name);
  });

  it('rejects a line with a member that is not a string', () => {
    for (const name of ['before', 'after', 'prev', 'hash', 'name', ...TEXTS]) {
      const record = { ...link(), [name]: 1 };
      assert.equal(readAuditLine(Buffer.from(auditLine(record))), undefined, name);
    }
  });

  it('isChained requires a sequence number and all texts', () => {
    assert.ok(isChained(link()));
    const texts = [{ prev: 0 }, { hash: null }, { before: 1 }, { after: 1 }];
    for (const change of [{ seq: 0.5 }, { seq: '1' }, ...texts])
      assert.equal(isChained({ ...link(), ...change }), false, JSON.stringify(change));
  });

  it('rejects a line that is not a JSON object', () => {
    for (const text of ['', '{', 'null', '[]', '"a"', '1'])
      assert.equal(readAuditLine(Buffer.from(text)), undefined, text);
  });
});
