import assert from 'node:assert/strict';
import type { AnsweredRequest } from '../../../src/core/metric.js';
import type { RpcChannel } from '../../../src/server/cluster/rpc.js';
import type { MainRpc, IpcBatch } from '../../../src/server/cluster/protocol.js';
import { createIpcBuffer } from '../../../src/server/cluster/ipc-buffer.js';
import { auditRecord } from '../../support/audit-record.js';
import { until } from '../../support/until.js';

/** A main process that answers when it is told to. */
function mainProcess() {
  const parcels: IpcBatch[] = [];
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let asked = 0;
  const link = {
    ask: (name: keyof MainRpc, parcel: IpcBatch) => {
      if (name === 'isAuditWritable') {
        asked += 1;
        return Promise.resolve(true);
      }
      parcels.push(parcel);
      return new Promise<void>((resolve, reject) => answers.push({ resolve, reject }));
    },
    notify: (_name: string, parcel: IpcBatch) => parcels.push(parcel),
  } as unknown as RpcChannel<MainRpc>;
  return { outbox: createIpcBuffer(link), parcels, answers, asked: () => asked };
}

describe('createIpcBuffer', () => {
  it('confirms an audit record only after the main process has confirmed it', async () => {
    const { outbox, parcels, answers } = mainProcess();
    const kept: string[] = [];
    const keeping = ['a', 'b'].map(async (id) => {
      await outbox.audit.append(auditRecord(id));
      kept.push(id);
    });
    await until(() => parcels.length > 0);
    assert.deepEqual(parcels, [{ records: [auditRecord('a'), auditRecord('b')] }]);
    assert.deepEqual(kept, []);
    answers[0]!.resolve();
    await Promise.all(keeping);
    assert.deepEqual(kept, ['a', 'b']);
  });

  it('asks the main process whether the audit trail is writable after a lost record or markAuditSuspect(), until it is', async () => {
    const { outbox, parcels, answers, asked } = mainProcess();
    await outbox.audit.writable();
    assert.equal(asked(), 0);
    const lost = assert.rejects(outbox.audit.append(auditRecord('a')), /no room/);
    await until(() => parcels.length > 0);
    answers[0]!.reject(new Error('no room'));
    await lost;
    await outbox.audit.writable();
    await outbox.audit.writable();
    assert.equal(asked(), 1);
    outbox.markAuditSuspect();
    await outbox.audit.writable();
    assert.equal(asked(), 2);
  });

  it('sends answered requests alone or together with the next audit records', async () => {
    const { outbox, parcels } = mainProcess();
    const answered = { requestId: 'r' } as AnsweredRequest;
    outbox.countAnswered(answered);
    await until(() => parcels.length === 1);
    outbox.countAnswered(answered);
    void outbox.audit.append(auditRecord('a'));
    await until(() => parcels.length === 2);
    assert.deepEqual(parcels, [
      { answered: [answered] },
      { records: [auditRecord('a')], answered: [answered] },
    ]);
  });
});
