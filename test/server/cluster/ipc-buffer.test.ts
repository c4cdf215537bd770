import assert from 'node:assert/strict';
import type { AnsweredRequest } from '../../../src/core/metric.js';
import { createIpcBuffer } from '../../../src/server/cluster/ipc-buffer.js';
import type { MainRpc, IpcBatch } from '../../../src/server/cluster/protocol.js';
import type { RpcChannel } from '../../../src/server/cluster/rpc.js';
import { auditRecord } from '../../support/audit-record.js';
import { until } from '../../support/until.js';

function createMainProcess() {
  const batches: IpcBatch[] = [];
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const leases: number[] = [];
  let writableChecks = 0;
  const channel = {
    ask: (name: keyof MainRpc, batch: IpcBatch) => {
      if (name === 'isAuditWritable') {
        writableChecks += 1;
        return Promise.resolve(true);
      }
      if (name === 'leaseAuditRoom') {
        leases.push(batch as unknown as number);
        return Promise.resolve(leases.length < 3);
      }
      batches.push(batch);
      return new Promise<void>((resolve, reject) => answers.push({ resolve, reject }));
    },
    notify: (_name: string, batch: IpcBatch) => batches.push(batch),
  } as unknown as RpcChannel<MainRpc>;
  return { buffer: createIpcBuffer(channel), batches, answers, leases, writableChecks: () => writableChecks };
}

describe('createIpcBuffer', () => {
  it('confirms an audit record only after the main process has confirmed it', async () => {
    const { buffer, batches, answers } = createMainProcess();
    const confirmedIds: string[] = [];
    const appends = ['a', 'b'].map(async (id) => {
      await buffer.audit.append(auditRecord(id));
      confirmedIds.push(id);
    });
    await until(() => batches.length > 0);
    assert.deepEqual(batches, [{ records: [auditRecord('a'), auditRecord('b')] }]);
    assert.deepEqual(confirmedIds, []);
    answers[0]!.resolve();
    await Promise.all(appends);
    assert.deepEqual(confirmedIds, ['a', 'b']);
  });

  it('asks the main process whether the audit trail has room after a lost record or markAuditSuspect(), until it has', async () => {
    const { buffer, batches, answers, writableChecks } = createMainProcess();
    assert.equal(await buffer.audit.reserve(1), true);
    assert.equal(writableChecks(), 0);
    const failedAppend = assert.rejects(buffer.audit.append(auditRecord('a'), 1), /no room/);
    await until(() => batches.length > 0);
    answers[0]!.reject(new Error('no room'));
    await failedAppend;
    await buffer.audit.reserve(1);
    await buffer.audit.reserve(1);
    assert.equal(writableChecks(), 1);
    buffer.markAuditSuspect();
    await buffer.audit.reserve(1);
    assert.equal(writableChecks(), 2);
  });

  it('leases room for records from the main process in steps, and uses the room of a stored record again', async () => {
    const { buffer, batches, answers, leases } = createMainProcess();
    const half = 131_072;
    assert.deepEqual(await Promise.all([1, 2, 3].map(async () => buffer.audit.reserve(half))), [
      true,
      true,
      true,
    ]);
    assert.deepEqual(leases, [2 * half, 2 * half]);
    assert.equal(buffer.audit.reserve(half), true);
    assert.equal(await buffer.audit.reserve(half), false);
    const stored = buffer.audit.append(auditRecord('a'), half);
    assert.equal(await buffer.audit.reserve(half), false);
    await until(() => batches.length > 0);
    answers[0]!.resolve();
    await stored;
    assert.equal(buffer.audit.reserve(half), true);
  });

  it('sends the records of all turns together until the main process confirms those before', async () => {
    const { buffer, batches, answers } = createMainProcess();
    const first = buffer.audit.append(auditRecord('a'));
    await until(() => batches.length === 1);
    const others: Promise<void>[] = [];
    for (const id of ['b', 'c']) {
      others.push(buffer.audit.append(auditRecord(id)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(batches.length, 1);
    answers[0]!.resolve();
    await first;
    await until(() => batches.length === 2);
    assert.deepEqual(batches[1], { records: [auditRecord('b'), auditRecord('c')] });
    answers[1]!.resolve();
    await Promise.all(others);
  });

  it('sends the records after a lost one', async () => {
    const { buffer, batches, answers } = createMainProcess();
    const lost = assert.rejects(buffer.audit.append(auditRecord('a')), /no room/);
    await until(() => batches.length === 1);
    const next = buffer.audit.append(auditRecord('b'));
    answers[0]!.reject(new Error('no room'));
    await lost;
    await until(() => batches.length === 2);
    answers[1]!.resolve();
    await next;
  });

  it('sends answered requests alone or together with the next audit records', async () => {
    const { buffer, batches } = createMainProcess();
    const request = { requestId: 'r' } as AnsweredRequest;
    buffer.countAnswered(request);
    await until(() => batches.length === 1);
    buffer.countAnswered(request);
    void buffer.audit.append(auditRecord('a'));
    await until(() => batches.length === 2);
    assert.deepEqual(batches, [
      { answered: [request] },
      { records: [auditRecord('a')], answered: [request] },
    ]);
  });
});
