import { Problem } from '../core/problem.js';
import { type Task, taskHead, type TaskHead, type TaskQuery, type TaskStore } from '../core/task.js';
import { lockForWrite, readerOf, writerOf } from './transactions.js';
import type { Connection } from './connection.js';
import type { Database, Write } from './tables.js';

/** Pattern of a task's id. Other keys match no task, and PostgreSQL rejects keys with NUL. */
const TASK_ID = /^[0-9a-f]{24}$/;

/** Creates the task store of an open database. */
export function taskStore(connection: Connection): TaskStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    open: (task, maxTasks) => write((db) => openTask(db, task, maxTasks)),
    find: (id) => (TASK_ID.test(id) ? read((db) => selectTask(db, id)) : Promise.resolve(undefined)),
    list: (query) =>
      read(async (db) => ({ results: await selectTaskHeads(db, query), total: await countTasks(db, query) })),
    update: (id, change) =>
      TASK_ID.test(id) ? write((db) => updateTaskWith(db, id, change)) : Promise.resolve(undefined),
  };
}

async function openTask(db: Write, task: Task, maxTasks: number): Promise<void> {
  // Without a lock, two concurrent transactions would not count each other's task.
  await lockForWrite(db, 'tasks');
  await insertTask(db, task);
  const excess = (await countTasks(db)) - maxTasks;
  if (excess <= 0) return;
  await deleteOldestFinished(db, excess);
  if ((await countTasks(db)) > maxTasks)
    throw new Problem('too_many_tasks', `There would be more than ${maxTasks} tasks that are open.`);
}

async function updateTaskWith(
  db: Write,
  id: string,
  change: (task: Task) => Task,
): Promise<Task | undefined> {
  const previous = await beginTaskRevision(db, id);
  if (!previous) return undefined;
  const next = { ...change(previous), revision: previous.revision + 1 };
  await updateTask(db, next);
  return next;
}

/** Inserts a task. */
export async function insertTask(db: Write, task: Task): Promise<void> {
  const { id, view, revision } = task;
  await db
    .insertInto('tasks')
    .values({ id, view, revision, ...columnsOf(task) })
    .execute();
}

/** Returns the task with this id. */
export async function selectTask(db: Database, id: string): Promise<Task | undefined> {
  const row = await db.selectFrom('tasks').select('document').where('id', '=', id).executeTakeFirst();
  return row && (JSON.parse(row.document) as Task);
}

type TaskFilter = Pick<TaskQuery, 'status' | 'view'>;

/** Returns a page of task heads, sorted by id. */
async function selectTaskHeads(
  db: Database,
  { skip, limit, order, ...filter }: TaskQuery,
): Promise<readonly TaskHead[]> {
  const rows = await tasksMatching(db, filter)
    .select('head')
    .orderBy('id', order === 1 ? 'asc' : 'desc')
    .limit(limit)
    .offset(skip)
    .execute();
  return rows.map(({ head }) => JSON.parse(head) as TaskHead);
}

/** Returns the number of tasks that match a filter. */
async function countTasks(db: Database, filter: TaskFilter = {}): Promise<number> {
  const { count } = await tasksMatching(db, filter)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Increments the revision of a task, and returns the task. The row is then locked until the transaction ends,
 * so that no concurrent change is lost.
 */
async function beginTaskRevision(db: Write, id: string): Promise<Task | undefined> {
  const row = await db
    .updateTable('tasks')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .returning('document')
    .executeTakeFirst();
  return row && (JSON.parse(row.document) as Task);
}

/** Replaces the stored content of a task. */
async function updateTask(db: Write, task: Task): Promise<void> {
  await db.updateTable('tasks').set(columnsOf(task)).where('id', '=', task.id).execute();
}

/** Deletes `count` finished tasks, beginning with the task that was finished first. */
async function deleteOldestFinished(db: Write, count: number): Promise<void> {
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

/** Creates the query for tasks that match a filter. */
function tasksMatching(db: Database, { status, view }: TaskFilter) {
  return db
    .selectFrom('tasks')
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'open'))
    .$if(view !== undefined, (query) => query.where('view', '=', view ?? 'ShowJsonForm'));
}

/**
 * Returns the columns that change with a task. Titles and names are only in the JSON columns: JSON escapes
 * NUL, which PostgreSQL rejects in text.
 */
function columnsOf(task: Task) {
  const { status, lastUpdated } = task;
  return { status, lastUpdated, head: JSON.stringify(taskHead(task)), document: JSON.stringify(task) };
}
