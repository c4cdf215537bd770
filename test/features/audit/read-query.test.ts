import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../../src/core/problem.js';
import { parseAuditQuery } from '../../../src/features/audit/audit-query.js';
import { anyText } from '../../support/any-text.js';
import { invalidAt } from '../../support/failing.js';

const read = (query: string) => parseAuditQuery(new URLSearchParams(query));

describe('parseAuditQuery', () => {
  it('defaults to a limit of 100 records, also for an empty limit', () => {
    for (const query of ['', 'limit=']) assert.deepEqual(read(query), { limit: 100 });
  });

  it('reads every filter and converts times to UTC', () => {
    const query =
      'since=2026-01-02T03:04:05%2B02:00&until=2026-01-02t03:04:05.5z&subject=ada&operation=a.b' +
      '&excludeOperations=audit.getAudit,c.d&requestId=r&status=0&target=/x y&limit=1000&before=12';
    assert.deepEqual(read(query), {
      ...{ since: '2026-01-02T01:04:05.000Z', until: '2026-01-02T03:04:05.500Z' },
      ...{ subject: 'ada', operation: 'a.b', excludeOperations: ['audit.getAudit', 'c.d'] },
      ...{ requestId: 'r', status: 0, target: '/x y', limit: 1000, before: '12' },
    });
  });

  it('rejects invalid parameters with a pointer', () => {
    for (const [query, ...pointers] of [
      ['since=yesterday', '/query/since'],
      ['since=2026-13-02T03:04:05Z', '/query/since'],
      ['until=2026-01-02', '/query/until'],
      ['since=9999-12-31T23:59:59-01:00', '/query/since'],
      ['status=2e2', '/query/status'],
      ['excludeOperations=a.b,,c.d', '/query/excludeOperations'],
      ['limit=0', '/query/limit'],
      ['limit=1001', '/query/limit'],
      ['subject=', '/query/subject'],
      ['target=%00', '/query/target'],
      [`target=${'x'.repeat(1025)}`, '/query/target'],
      ['status=', '/query/status'],
      ['subject=a&subject=b', '/query/subject', '/query/subject'],
      ['sujbect=a', '/query/sujbect'],
    ] as const)
      assert.throws(() => read(query), invalidAt(...pointers), query.slice(0, 40));
  });

  it('returns a valid limit or throws a Problem for any text', () => {
    const name = fc.constantFrom('since', 'until', 'status', 'limit', 'subject', 'before', 'other');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, anyText())), (pairs) => {
        try {
          const { limit } = parseAuditQuery(new URLSearchParams(pairs));
          assert.ok(limit >= 1 && limit <= 1000);
        } catch (error) {
          assert.ok(error instanceof Problem);
        }
      }),
    );
  });
});
