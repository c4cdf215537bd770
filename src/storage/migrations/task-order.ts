import { sql } from 'kysely';
import type { TaskHead } from '../../core/task.js';
import type { Write } from '../tables.js';
import { taskOrderColumns } from '../task-columns.js';
import { isPostgres } from '../transactions.js';

/** Number of task heads that are read at once. */
const BATCH_SIZE = 500;

/** Adds what the lists of tasks sort by: assignee, excluded requester and deadline. Reads them from existing tasks. */
export async function addTaskOrder(db: Write): Promise<void> {
  const key = isPostgres(db) ? sql`text collate "C"` : 'text';
  await db.schema.alterTable('task_access').addColumn('assignee', 'text').execute();
  await db.schema.alterTable('task_access').addColumn('excludes_owner', 'integer').execute();
  await db.schema.alterTable('task_access').addColumn('due', key).execute();
  let last = '';
  for (;;) {
    const rows = await db
      .selectFrom('tasks')
      .select(['id', 'head'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    for (const { id, head } of rows) {
      const columns = taskOrderColumns(JSON.parse(head) as Partial<TaskHead>);
      await db.updateTable('taskAccess').set(columns).where('taskId', '=', id).execute();
      last = id;
    }
    if (rows.length < BATCH_SIZE) return;
  }
}
