import assert from 'node:assert/strict';
import { beginPage } from '../../../src/features/audit/audit-trail.js';
import { auditRecord } from '../../support/audit-record.js';
import { column } from '../../support/columns.js';

describe('beginPage', () => {
  const at = (time: string) => auditRecord(time, { time });

  it('contains records from since (inclusive) to until (exclusive)', () => {
    const [since, until] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
    const inside = ['2026-01-02T23:59:59.999Z', since];
    const page = beginPage({ since, until, limit: 10 });
    for (const time of [until, ...inside, '2026-01-01T23:59:59.999Z'])
      assert.equal(page.offer(at(time), time), undefined);
    assert.deepEqual(column(page.end().results, 'time'), inside);
  });

  it('finds a text in any member that people search by, in any case, and a status', () => {
    const record = auditRecord('4b4c5d1a', {
      ...{ operation: 'adapters.updateAdapter', subject: 'u-77', name: 'Nadine', status: 503 },
      ...{ target: '/adapters/edge-berlin.example.com', outcome: 'upstream_failed' },
      ...{ clientAddress: '192.0.2.7', reason: 'database is locked' },
    });
    const finds = (search: string) => {
      const page = beginPage({ search, limit: 10 });
      page.offer(record, 'c');
      return page.end().results.length === 1;
    };
    const texts = ['updateadapter', 'u-77', 'nadine', 'Edge-Berlin', 'upstream_', 'LOCKED'];
    for (const text of ['4B4C', '192.0.2.', '503', ...texts]) assert.equal(finds(text), true, text);
    for (const text of ['50', 'edge-bonn', 'https://idp.example']) assert.equal(finds(text), false, text);
  });

  it('ends one day before since, because clocks may have been set back by that much', () => {
    const page = beginPage({ since: '2026-01-02T00:00:00.000Z', limit: 10 });
    assert.equal(page.offer(at('2026-01-01T00:00:00.000Z'), 'c'), undefined);
    assert.deepEqual(page.offer(at('2025-12-31T23:59:59.999Z'), 'c'), { results: [] });
  });
});
