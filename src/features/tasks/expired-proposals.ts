import { createHash } from 'node:crypto';
import { canonicalJson } from '../../json/canonical-json.js';
import type { Database } from '../../storage/tables.js';
import { openProposals } from './access-store.js';
import type { Task } from './task.js';

/** Maximum number of proposals that one opened task ends, which bounds its time. */
const MAX_ENDED = 16;

/** Returns the ids of the open proposals of the task's requester that have expired before the task was opened. */
export async function expiredProposalsOf(db: Database, task: Task): Promise<readonly string[]> {
  const rows = await openProposals(db, task)
    .where('taskAccess.due', '<=', task.created)
    .orderBy('taskAccess.due')
    .limit(MAX_ENDED)
    .select('tasks.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns a proposal as it is after its expiry: rejected, without a person. `at` is RFC 3339. */
export function expired(proposal: Task, at: string): Task {
  const stamp = { by: '', byIssuer: '', byName: 'gatehouse' };
  const reason = `The proposal expired at ${proposal.due ?? at} without a decision.`;
  const hash = createHash('sha256').update(canonicalJson(null)).digest('hex');
  return {
    ...proposal,
    status: 'rejected',
    outcome: { status: 'rejected', reason, export: null, ...stamp, at, hash },
    lastUpdated: at,
    lastUpdatedBy: stamp.by,
    lastUpdatedByIssuer: stamp.byIssuer,
    lastUpdatedByName: stamp.byName,
  };
}
