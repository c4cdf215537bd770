import assert from 'node:assert/strict';
import type { AuditRecord } from '../../../../src/core/audit.js';
import { type AuditSink, watchSink } from '../../../../src/features/audit/trail/sink-health.js';
import { manualClock } from '../../../auth/fixtures.js';
import { auditRecord } from '../../../support/audit-record.js';
import { columns } from '../../../support/columns.js';
import { until } from '../../../support/until.js';

describe('watchSink', () => {
  const setUpSink = () => {
    const clock = manualClock();
    const kept: AuditRecord[] = [];
    let [fault, free]: [Error | undefined, number] = [undefined, Infinity];
    const sink: AuditSink = {
      room: {
        hold(bytes) {
          const isRoom = bytes <= free;
          if (isRoom) free -= bytes;
          return isRoom;
        },
        release: (bytes) => void (free += bytes),
      },
      append: (record) => (fault ? Promise.reject(fault) : Promise.resolve(void kept.push(record))),
      close: () => Promise.resolve(),
    };
    const fail = (error?: Error) => (fault = error);
    const limitRoom = (bytes: number) => (free = bytes);
    return { clock, kept, fail, limitRoom, free: () => free, watched: watchSink(sink, clock) };
  };

  it('rejects with the cause of a failed append', async () => {
    const { fail, watched } = setUpSink();
    const full = new Error('ENOSPC');
    fail(full);
    await assert.rejects(watched.append(auditRecord('r')), {
      code: 'audit_unavailable',
      message: 'The audit record of this call could not be stored.',
      cause: full,
    });
  });

  it('keeps the record of a revocation until the sink works again (bug: a sign-out was refused)', async () => {
    const { clock, kept, fail, watched } = setUpSink();
    fail(new Error('EIO'));
    assert.equal(await watched.appendOrKeep(auditRecord('a')), false);
    assert.equal(watched.writable(), false);
    assert.equal(await watched.appendOrKeep(auditRecord('b')), false);
    assert.deepEqual(watched.counts(), { stored: 0, failed: 0 });
    fail();
    clock.seconds += 1;
    await until(() => kept.length === 3);
    assert.equal(kept[0]?.requestId, 'a');
    const resumed = kept.filter(({ operation }) => operation === 'audit.resume');
    assert.deepEqual(columns(resumed, 'outcome'), [['records lost: 0']]);
    assert.equal(await watched.appendOrKeep(auditRecord('c')), true);
    assert.equal(watched.writable(), true);
    assert.deepEqual(watched.counts(), { stored: 4, failed: 0 });
  });

  it('stores the records that wait when it closes', async () => {
    const { kept, fail, watched } = setUpSink();
    fail(new Error('EIO'));
    await watched.appendOrKeep(auditRecord('a'));
    fail();
    await watched.close();
    assert.equal(kept[0]?.requestId, 'a');
  });

  it('retries once for concurrent callers and records the length of the gap', async () => {
    const { clock, kept, fail, watched } = setUpSink();
    fail(new Error('EIO'));
    for (const id of ['a', 'b']) await assert.rejects(watched.append(auditRecord(id)));
    fail();
    clock.seconds += 1;
    assert.deepEqual(await Promise.all([watched.writable(), watched.writable()]), [true, true]);
    assert.deepEqual(columns(kept, 'operation', 'outcome', 'durationMs'), [
      ['audit.resume', 'records lost: 2', 1000],
    ]);
    assert.deepEqual(watched.counts(), { stored: 1, failed: 2 });
    assert.equal(watched.writable(), true);
  });

  it('waits a second between retries, also after the clock was set back', async () => {
    const { clock, fail, watched } = setUpSink();
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

  it('gives each call room of its own, until its record is stored or failed', async () => {
    const { fail, limitRoom, free, watched } = setUpSink();
    limitRoom(30_000);
    const reserved = [15_000, 15_000, 1].map((bytes) => watched.reserve(bytes));
    assert.deepEqual(reserved, [true, true, false]);
    assert.equal(watched.writable(), false);
    await watched.append(auditRecord('a'), 15_000);
    assert.equal(free(), 15_000);
    fail(new Error('EIO'));
    await assert.rejects(watched.append(auditRecord('b'), 15_000), { code: 'audit_unavailable' });
    assert.equal(free(), 30_000);
  });

  it('stores no record in room that is reserved for others', async () => {
    const { kept, limitRoom, free, watched } = setUpSink();
    limitRoom(20_000);
    assert.equal(watched.reserve(20_000), true);
    await assert.rejects(watched.append(auditRecord('without')), { code: 'audit_unavailable' });
    assert.equal(await watched.appendOrKeep(auditRecord('sign-out')), false);
    await watched.append(auditRecord('with'), 20_000);
    assert.deepEqual(columns(kept.slice(0, 1), 'requestId'), [['with']]);
    assert.equal(free(), 20_000);
  });
});
