import { Problem } from '../core/problem.js';
import type { Task, TaskStore } from '../core/task.js';
import { readerOf, writerOf } from './access.js';
import type { Connection } from './connection.js';
import { lockForWrite } from './dialect.js';
import type { Write } from './tables.js';
import {
  beginTaskRevision,
  countTasks,
  deleteOldestFinished,
  insertTask,
  selectHeads,
  selectTask,
  updateTask,
} from './tasks-table.js';

/** Other texts are the id of no task, and PostgreSQL refuses some of them. */
const ID = /^[0-9a-f]{24}$/;

/** The tasks of an open database. */
export function taskStore(connection: Connection): TaskStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    open: (task, maxTasks) => write((db) => open(db, task, maxTasks)),
    find: (id) => (ID.test(id) ? read((db) => selectTask(db, id)) : Promise.resolve(undefined)),
    list: (query) =>
      read(async (db) => ({ results: await selectHeads(db, query), total: await countTasks(db, query) })),
    update: (id, change) =>
      ID.test(id) ? write((db) => update(db, id, change)) : Promise.resolve(undefined),
  };
}

async function open(db: Write, task: Task, maxTasks: number): Promise<void> {
  // Two that open a task at the same moment would count without each other's.
  await lockForWrite(db, 'tasks');
  await insertTask(db, task);
  const excess = (await countTasks(db)) - maxTasks;
  if (excess <= 0) return;
  await deleteOldestFinished(db, excess);
  if ((await countTasks(db)) > maxTasks)
    throw new Problem('too_many_tasks', `There would be more than ${maxTasks} tasks that are open.`);
}

async function update(db: Write, id: string, change: (task: Task) => Task): Promise<Task | undefined> {
  const previous = await beginTaskRevision(db, id);
  if (!previous) return undefined;
  const next = { ...change(previous), revision: previous.revision + 1 };
  await updateTask(db, next);
  return next;
}
