import { type Task, taskHead, type TaskHead, type TaskQuery } from '../core/task.js';
import type { Database, Write } from './tables.js';

/** Adds a task. */
export async function insertTask(db: Write, task: Task): Promise<void> {
  const { id, view, revision } = task;
  await db
    .insertInto('tasks')
    .values({ id, view, revision, ...contentOf(task) })
    .execute();
}

/** The task of an id. */
export async function selectTask(db: Database, id: string): Promise<Task | undefined> {
  const row = await db.selectFrom('tasks').select('document').where('id', '=', id).executeTakeFirst();
  return row && (JSON.parse(row.document) as Task);
}

type Filter = Pick<TaskQuery, 'status' | 'view'>;

/** A page of what lists tell, by id. */
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

/** How many tasks there are. */
export async function countTasks(db: Database, filter: Filter = {}): Promise<number> {
  const { count } = await matching(db, filter)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts a change and locks the task until the transaction ends: whoever reads it before may lose what others write. */
export async function beginTaskRevision(db: Write, id: string): Promise<Task | undefined> {
  const row = await db
    .updateTable('tasks')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .returning('document')
    .executeTakeFirst();
  return row && (JSON.parse(row.document) as Task);
}

/** Replaces what is kept of a task. */
export async function updateTask(db: Write, task: Task): Promise<void> {
  await db.updateTable('tasks').set(contentOf(task)).where('id', '=', task.id).execute();
}

/** Removes so many of the tasks that are not open any more: those that were finished first. */
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

/** Titles and names stand in JSON alone: there, PostgreSQL keeps a NUL as well. */
function contentOf(task: Task) {
  const { status, lastUpdated } = task;
  return { status, lastUpdated, head: JSON.stringify(taskHead(task)), document: JSON.stringify(task) };
}
