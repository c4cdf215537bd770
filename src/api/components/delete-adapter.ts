import type { Operation } from '../../core/operation.js';
import { changedRecord, seenRevision } from '../../core/revision-tag.js';
import { doneSchema } from '../../core/management-reply.js';
import type { AdaptersDeps } from './deps.js';
import { absentAdapter, registeredAdapter } from './require-adapter.js';
import { applyRecords } from './apply-records.js';

/** Stops and deletes a registered adapter after its running calls have ended (wire section 5.2). */
export const deleteAdapter: Operation<AdaptersDeps> = {
  id: 'deleteAdapter',
  summary: 'Delete a registered adapter after stopping it.',
  method: 'DELETE',
  path: '/:name',
  roles: ['admin'],
  reply: doneSchema('Deleted adapter'),
  audited: true,
  handle: (call, deps) =>
    deps.runInTurn(call, async () => {
      const { document } = registeredAdapter(deps.adapters, call.params['name']);
      const { name } = document;
      const removed = await deps.adapterRecords.remove({ name, revision: seenRevision(call) });
      changedRecord(removed, () => absentAdapter(name));
      await applyRecords(deps);
      return {
        body: { status: 'OK', message: `Successfully deleted ${name}.` },
        change: { before: document },
      };
    }),
};
