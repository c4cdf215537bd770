import assert from 'node:assert/strict';
import { type AuditSink, watchSink } from '../../src/audit/sink-health.js';
import type { AuditRecord } from '../../src/core/audit.js';
import { Problem } from '../../src/core/problem.js';
import { manualClock } from '../auth/fixtures.js';
import { auditRecord } from '../support/audit-record.js';

describe('a watched audit sink', () => {
  const bench = () => {
    const clock = manualClock();
    const kept: AuditRecord[] = [];
    let fault: Error | undefined;
    const sink: AuditSink = {
      append: (record) => {
        if (fault) return Promise.reject(fault);
        kept.push(record);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    };
    const fail = (error?: Error): void => {
      fault = error;
    };
    return { clock, kept, fail, watched: watchSink(sink, clock) };
  };

  it('says what kept a record from being written', async () => {
    const { fail, watched } = bench();
    const full = new Error('ENOSPC');
    fail(full);
    await assert.rejects(
      watched.append(auditRecord('r')),
      (error) =>
        error instanceof Problem &&
        error.code === 'audit_unavailable' &&
        error.message === 'The audit record of this call could not be stored.' &&
        error.cause === full,
    );
  });

  it('tries once for all who ask in one moment, and tells how long the gap was', async () => {
    const { clock, kept, fail, watched } = bench();
    fail(new Error('EIO'));
    for (const id of ['a', 'b']) await assert.rejects(watched.append(auditRecord(id)));
    fail();
    clock.seconds += 1;
    const asked = [watched.writable(), watched.writable()] as const;
    assert.equal(asked[0], asked[1]);
    assert.equal(await asked[0], true);
    assert.deepEqual(
      kept.map(({ operation, outcome, durationMs }) => [operation, outcome, durationMs]),
      [['audit.resume', 'records lost: 2', 1000]],
    );
    assert.equal(watched.writable(), true);
  });

  it('waits a second from one try to the next, also where the clock was put back', async () => {
    const { clock, fail, watched } = bench();
    fail(new Error('EIO'));
    await assert.rejects(watched.append(auditRecord('a')));
    clock.seconds += 1;
    assert.equal(await watched.writable(), false);
    clock.seconds += 0.999;
    assert.equal(watched.writable(), false);
    clock.seconds -= 3600;
    fail();
    assert.equal(await watched.writable(), true);
  });
});
