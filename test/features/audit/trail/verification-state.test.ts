import assert from 'node:assert/strict';
import type { AuditRecord } from '../../../../src/core/audit.js';
import type {
  AuditQuery,
  ChainVerification,
  CountedAuditTrail,
} from '../../../../src/features/audit/audit-trail.js';
import { openVerifications } from '../../../../src/features/audit/trail/open-verifications.js';
import { auditRecord } from '../../../support/audit-record.js';
import { memoryLog } from '../../../support/memory-log.js';
import { until } from '../../../support/until.js';

const HEAD = { seq: 9, hash: '' };
const INTACT: ChainVerification = {
  whole: true,
  records: 9,
  first: 1,
  last: HEAD,
  unchained: 0,
  torn: [],
};

/** Record of a verification that another process has stored. */
function storedResult(time: string, outcome: string, status = 200): AuditRecord {
  return auditRecord('', { time, operation: 'audit.verify', subject: 'gatehouse', outcome, status });
}

/** Opens verifications of a trail whose methods the test controls. */
function opened(changes: Partial<CountedAuditTrail> = {}) {
  const time = { now: 1_000 };
  const appended: AuditRecord[] = [];
  const stored: AuditRecord[] = [];
  const queries: AuditQuery[] = [];
  const { log, lines } = memoryLog();
  const audit = {
    verify: () => Promise.resolve(INTACT),
    append: (record: AuditRecord) => {
      appended.push(record);
      return Promise.resolve();
    },
    find: (query: AuditQuery) => {
      queries.push(query);
      return Promise.resolve({ results: stored.slice(-1) });
    },
    ...changes,
  } as unknown as CountedAuditTrail;
  const verifications = openVerifications({ audit, clock: { now: () => time.now }, log });
  return { verifications, time, appended, stored, queries, lines };
}

describe('the state of the verification of the audit trail', () => {
  it('has the start and the number of verified entries while one runs', async () => {
    let onEnd = (_result: ChainVerification): void => undefined;
    let onProgress: ((entries: number) => void) | undefined;
    const { verifications, time, appended } = opened({
      verify: (watch) => {
        ({ onProgress } = watch);
        return new Promise((resolve) => (onEnd = resolve));
      },
    });
    assert.deepEqual(await verifications.state(), {});
    assert.equal(verifications.start(), true);
    assert.deepEqual(await verifications.state(), { running: { startedAt: 1_000, entries: 0 } });
    const before = await verifications.state();
    onProgress?.(500);
    assert.deepEqual(await verifications.state(), { running: { startedAt: 1_000, entries: 500 } });
    assert.equal(before.running?.entries, 0);
    time.now = 4_500;
    onEnd(INTACT);
    await until(() => appended.length === 1);
    assert.deepEqual(await verifications.state(), {
      last: { at: 4_500, isIntact: true, first: 1, last: 9, outcome: 'intact: records 1 to 9' },
    });
    const [record] = appended;
    assert.deepEqual(
      [record?.operation, record?.status, record?.durationMs, record?.time],
      ['audit.verify', 200, 3_500, '1970-01-01T00:00:04.500Z'],
    );
  });

  it('reports a trail that is not intact in the log, and an intact one not', async () => {
    const found = { place: 'line 4', kind: 'changed', message: 'the hash differs' } as const;
    const broken = opened({
      verify: () => Promise.resolve({ ...INTACT, whole: false, records: 0, break: found }),
    });
    broken.verifications.start();
    await until(() => broken.appended.length === 1);
    const outcome = 'changed: line 4: the hash differs';
    assert.deepEqual(broken.lines, [
      { level: 'error', message: 'audit trail is not intact', fields: { outcome } },
    ]);
    assert.equal(broken.appended[0]?.status, 500);
    const intact = opened();
    intact.verifications.start();
    await until(() => intact.appended.length === 1);
    assert.deepEqual(intact.lines, []);
  });

  it('names a trail without records, and has no range of records for it', async () => {
    const { verifications, appended } = opened({ verify: () => Promise.resolve({ ...INTACT, records: 0 }) });
    verifications.start();
    await until(() => appended.length === 1);
    const { last } = await verifications.state();
    assert.deepEqual(last, { at: 1_000, isIntact: true, outcome: 'intact: no record' });
  });

  it('keeps a result that cannot be recorded, until another node has a later one', async () => {
    const failure = new Error('ENOSPC');
    const { verifications, time, stored, lines } = opened({ append: () => Promise.reject(failure) });
    verifications.start();
    await until(() => lines.length === 1);
    const message = 'result of a verification cannot be recorded';
    assert.deepEqual(lines, [{ level: 'error', message, fields: { error: failure } }]);
    const own = { at: 1_000, isIntact: true, first: 1, last: 9, outcome: 'intact: records 1 to 9' };
    assert.deepEqual((await verifications.state()).last, own);
    for (const at of [0, 1_000]) {
      stored.push(storedResult(new Date(at).toISOString(), 'intact: records 1 to 4'));
      time.now += 30_000;
      assert.deepEqual((await verifications.state()).last, own);
    }
    stored.push(storedResult('1970-01-01T00:00:01.001Z', 'failed: EIO', 500));
    time.now += 30_000;
    assert.deepEqual((await verifications.state()).last, {
      at: 1_001,
      isIntact: false,
      outcome: 'failed: EIO',
    });
  });

  it('shows the result of another node once its own one is recorded', async () => {
    const { verifications, time, stored, appended } = opened();
    verifications.start();
    await until(() => appended.length === 1);
    // The clock of the other node is behind.
    stored.push(storedResult('1970-01-01T00:00:00.500Z', 'intact: records 1 to 12'));
    time.now += 30_000;
    const { last } = await verifications.state();
    assert.deepEqual(last, {
      at: 500,
      isIntact: true,
      first: 1,
      last: 12,
      outcome: 'intact: records 1 to 12',
    });
  });

  it('reads the trail at most once in 30 seconds', async () => {
    const { verifications, time, queries } = opened();
    await verifications.state();
    time.now += 29_999;
    await verifications.state();
    assert.equal(queries.length, 1);
    time.now += 1;
    await verifications.state();
    assert.equal(queries.length, 2);
  });

  it('takes a range of records only from the outcome of an intact trail', async () => {
    for (const outcome of [
      'not intact: records 1 to 4',
      'intact: records 1 to 4 ...',
      'intact: records 1 to x',
    ]) {
      const { verifications, stored } = opened();
      stored.push(storedResult('1970-01-01T00:00:00.500Z', outcome));
      assert.deepEqual((await verifications.state()).last, { at: 500, isIntact: true, outcome });
    }
  });

  it('searches from cursor to cursor, ten times at the start and once later', async () => {
    const queries: AuditQuery[] = [];
    const { verifications, time } = opened({
      find: (query) => {
        queries.push(query);
        return Promise.resolve({ results: [], next: `c${queries.length}`, partial: true });
      },
    });
    assert.deepEqual(await verifications.state(), {});
    const filter = { operation: 'audit.verify', subject: 'gatehouse', limit: 1 };
    assert.deepEqual(queries.slice(0, 3), [filter, { ...filter, before: 'c1' }, { ...filter, before: 'c2' }]);
    assert.equal(queries.length, 10);
    time.now += 30_000;
    await verifications.state();
    assert.deepEqual(queries.slice(10), [filter]);
  });
});
