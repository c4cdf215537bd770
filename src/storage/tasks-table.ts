import { type Task, taskHead, type TaskHead, type TaskQuery } from '../core/task.js';
import type { Database, Write } from './tables.js';

/** Inserts a task. */
export async function insertTask(db: Write, task: Task): Promise<void> {
  const { id, view, revision } = task;
  await db
    .insertInto('tasks')
    .values({ id, view, revision, ...contentOf(task) })
    .execute();
}

/** Returns the task with this id. */
export async function selectTask(db: Database, id: string): Promise<Task | undefined> {
  const row = await db.selectFrom('tasks').select('document').where('id', '=', id).executeTakeFirst();
  return row && (JSON.parse(row.document) as Task);
}

type Filter = Pick<TaskQuery, 'status' | 'view'>;

/** Returns a page of the parts that lists show, sorted by id. */
export async function selectHeads(
  db: Database,
  { skip, limit, order, ...filter }: TaskQuery,
): Promise<readonly TaskHead[]> {
  const rows = await matching(db, filter)
    .select('head')
    .orderBy('id', order === 1 ? 'asc' : 'desc')
    .limit(limit)
    .offset(skip)
    .execute();
  return rows.map(({ head }) => JSON.parse(head) as TaskHead);
}

/** Returns the number of tasks. */
export async function countTasks(db: Database, filter: Filter = {}): Promise<number> {
  const { count } = await matching(db, filter)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Increments the revision and locks the task until the transaction ends. Reading the task before that could
 * lose concurrent changes.
 */
export async function beginTaskRevision(db: Write, id: string): Promise<Task | undefined> {
  const row = await db
    .updateTable('tasks')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .returning('document')
    .executeTakeFirst();
  return row && (JSON.parse(row.document) as Task);
}

/** Replaces the stored content of a task. */
export async function updateTask(db: Write, task: Task): Promise<void> {
  await db.updateTable('tasks').set(contentOf(task)).where('id', '=', task.id).execute();
}

/** Deletes `count` tasks that are no longer open, those that were finished first. */
export async function deleteOldestFinished(db: Write, count: number): Promise<void> {
  await db
    .deleteFrom('tasks')
    .where('id', 'in', (query) =>
      query
        .selectFrom('tasks')
        .select('id')
        .where('status', '!=', 'open')
        .orderBy('lastUpdated')
        .orderBy('id')
        .limit(count),
    )
    .execute();
}

function matching(db: Database, { status, view }: Filter) {
  return db
    .selectFrom('tasks')
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'open'))
    .$if(view !== undefined, (query) => query.where('view', '=', view ?? 'ShowJsonForm'));
}

/** Returns the columns of a task. Titles and names are only in JSON, where PostgreSQL also stores a NUL. */
function contentOf(task: Task) {
  const { status, lastUpdated } = task;
  return { status, lastUpdated, head: JSON.stringify(taskHead(task)), document: JSON.stringify(task) };
}
