import { sql } from 'kysely';
import type { TaskHead } from '../../core/task.js';
import type { Write } from '../tables.js';
import { taskOrderColumns } from '../task-columns.js';
import { sortedText } from './column-types.js';

/** Number of task heads that are read at once. */
const BATCH_SIZE = 500;

export async function createTasks(db: Write): Promise<void> {
  const key = sortedText(db);
  await db.schema
    .createTable('tasks')
    .addColumn('id', key, (column) => column.primaryKey().notNull())
    .addColumn('view', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('last_updated', key, (column) => column.notNull())
    .addColumn('head', 'text', (column) => column.notNull())
    // The document is the last column, because it is long and SQLite reads a row from its start.
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
}

/** Adds the access of tasks. Every caller may still read the existing tasks, as before. */
export async function createTaskAccess(db: Write): Promise<void> {
  const key = sortedText(db);
  await db.schema
    .createTable('task_access')
    .addColumn('task_id', key, (column) => column.primaryKey().references('tasks.id').onDelete('cascade'))
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('readers', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('task_access_owner').on('task_access').column('owner').execute();
  await sql`insert into task_access (task_id, owner, readers, bytes)
    select id, '', ' * ', length(document) from tasks`.execute(db);
}

/** Adds what the lists of tasks sort by: assignee, excluded requester and deadline. Reads them from existing tasks. */
export async function addTaskOrder(db: Write): Promise<void> {
  const key = sortedText(db);
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
