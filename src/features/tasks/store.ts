import type { ExpressionBuilder, Expression, SqlBool } from 'kysely';
import { type TaskHead, ANY_READER } from '../../core/task.js';
import { readStoredJson } from '../../json/strict-json.js';
import { jsonText } from '../../json/write-json.js';
import type { Connection } from '../../storage/connection.js';
import type { Database, Write, Tables } from '../../storage/tables.js';
import { hashOf } from '../../storage/task-columns.js';
import { lockForWrite, readerOf, writerOf } from '../../storage/transactions.js';
import {
  deleteExcessFinished,
  enforceOpenQuotas,
  enforceProposalQuota,
  upsertTaskAccess,
} from './access-store.js';
import { expired, expiredProposalsOf } from './expired-proposals.js';
import {
  type Task,
  taskHead,
  type TaskFilter,
  type TaskQuery,
  type TaskQuotas,
  type TaskStore,
  type TaskOrder,
  type TaskPerson,
} from './task.js';

/** Pattern of a task's id. Other keys match no task, and PostgreSQL rejects keys with NUL. */
const TASK_ID = /^[0-9a-f]{24}$/;

export function taskStore(connection: Connection): TaskStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    open: (task, quotas) => write((db) => openTask(db, task, quotas)),
    find: (id) => (TASK_ID.test(id) ? read((db) => selectTask(db, id)) : Promise.resolve(undefined)),
    findHead: (id) => (TASK_ID.test(id) ? read((db) => selectTaskHead(db, id)) : Promise.resolve(undefined)),
    list: (query) =>
      read(async (db) => ({ results: await selectTaskHeads(db, query), total: await countTasks(db, query) })),
    update: (id, change, quotas) =>
      TASK_ID.test(id)
        ? write((db) => updateTaskWith(db, { id, change, quotas }))
        : Promise.resolve(undefined),
  };
}

async function openTask(db: Write, task: Task, quotas: TaskQuotas): Promise<void> {
  // Without a lock, two concurrent transactions would not count each other's task.
  await lockForWrite(db, 'tasks');
  if (task.proposal) await endExpiredProposals(db, task, quotas);
  await insertTask(db, task);
  await enforceOpenQuotas(db, task, quotas);
  if (task.proposal) await enforceProposalQuota(db, task);
}

/** Ends the expired proposals of a requester before they count for the quotas: their approval would have no effect. */
async function endExpiredProposals(db: Write, task: Task, quotas: TaskQuotas): Promise<void> {
  for (const id of await expiredProposalsOf(db, task))
    await updateTaskWith(db, { id, change: (proposal) => expired(proposal, task.created), quotas });
}

interface TaskUpdate {
  readonly id: string;
  readonly change: (task: Task) => Task;
  readonly quotas: TaskQuotas;
}

async function updateTaskWith(db: Write, { id, change, quotas }: TaskUpdate): Promise<Task | undefined> {
  await lockForWrite(db, 'tasks');
  const document = await beginTaskRevision(db, id);
  if (document === undefined) return undefined;
  const previous = parseTask(document);
  const next = { ...change(previous), revision: previous.revision + 1 };
  const grows = (await updateTask(db, next)) > document.length;
  if (next.status !== 'open') await deleteExcessFinished(db, id, quotas);
  else if (grows) await enforceOpenQuotas(db, next, quotas);
  return next;
}

/** Members that tasks of earlier versions do not have. */
const FORMER_TASK: Pick<
  TaskHead,
  'createdByIssuer' | 'lastUpdatedByIssuer' | 'assignee' | 'roles' | 'excludeRequester' | 'due'
> = {
  createdByIssuer: '',
  lastUpdatedByIssuer: '',
  assignee: null,
  roles: null,
  excludeRequester: false,
  due: null,
};

function parseTask(document: string): Task {
  return completeHead(readStoredJson(document) as StoredHead<Task>);
}

/** Adds the members that tasks of earlier versions do not have. Their names are the subjects. */
function completeHead<Head extends TaskHead>(stored: StoredHead<Head>): Head {
  const { createdBy: createdByName, lastUpdatedBy: lastUpdatedByName } = stored;
  return { ...FORMER_TASK, createdByName, lastUpdatedByName, ...stored } as Head;
}

type StoredHead<Head extends TaskHead> = Omit<Head, 'createdByName' | 'lastUpdatedByName'> &
  Partial<Pick<Head, 'createdByName' | 'lastUpdatedByName'>>;

export async function insertTask(db: Write, task: Task): Promise<void> {
  const { id, view, revision } = task;
  const columns = columnsOf(task);
  await db
    .insertInto('tasks')
    .values({ id, view, revision, ...columns })
    .execute();
  await upsertTaskAccess(db, task, columns.document);
}

export async function selectTask(db: Database, id: string): Promise<Task | undefined> {
  const row = await db.selectFrom('tasks').select('document').where('id', '=', id).executeTakeFirst();
  return row && parseTask(row.document);
}

async function selectTaskHead(db: Database, id: string): Promise<TaskHead | undefined> {
  const row = await db.selectFrom('tasks').select('head').where('id', '=', id).executeTakeFirst();
  return row && completeHead<TaskHead>(JSON.parse(row.head) as TaskHead);
}

async function selectTaskHeads(
  db: Database,
  { skip, limit, order, ...filter }: TaskQuery,
): Promise<readonly TaskHead[]> {
  const rows = await tasksInOrder(tasksMatching(db, filter), order)
    .select('head')
    .limit(limit)
    .offset(skip)
    .execute();
  return rows.map(({ head }) => completeHead<TaskHead>(JSON.parse(head) as TaskHead));
}

async function countTasks(db: Database, filter: TaskFilter): Promise<number> {
  const { count } = await tasksMatching(db, filter)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Increments the revision of a task, and returns its document. The row is then locked until the transaction ends,
 * so that no concurrent change is lost.
 */
async function beginTaskRevision(db: Write, id: string): Promise<string | undefined> {
  const row = await db
    .updateTable('tasks')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .returning('document')
    .executeTakeFirst();
  return row?.document;
}

/** Replaces the stored content of a task. Returns the length of its document. */
async function updateTask(db: Write, task: Task): Promise<number> {
  const columns = columnsOf(task);
  await db.updateTable('tasks').set(columns).where('id', '=', task.id).execute();
  await upsertTaskAccess(db, task, columns.document);
  return columns.document.length;
}

/**
 * Returns the columns that change with a task. Titles and names are only in the JSON columns: JSON escapes
 * NUL, which PostgreSQL rejects in text.
 */
function columnsOf(task: Task) {
  const { status, lastUpdated } = task;
  return { status, lastUpdated, head: jsonText(taskHead(task)), document: jsonText(task) };
}

export function tasksMatching(db: Database, filter: TaskFilter) {
  const { status, view, readers, overdueAt, dueBefore, dueFrom } = filter;
  return db
    .selectFrom('tasks')
    .leftJoin('taskAccess', 'taskAccess.taskId', 'tasks.id')
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'open'))
    .$if(view !== undefined, (query) => query.where('view', '=', view ?? 'ShowJsonForm'))
    .$if(readers !== undefined, (query) => query.where((eb) => hasReader(eb, readers ?? [])))
    .$if(overdueAt !== undefined, (query) =>
      query.where('status', '=', 'open').where('taskAccess.due', '<', overdueAt ?? ''),
    )
    .$if(dueBefore !== undefined, (query) => query.where('taskAccess.due', '<', dueBefore ?? ''))
    .$if(dueFrom !== undefined, (query) => query.where('taskAccess.due', '>=', dueFrom ?? ''));
}

/** Sorts tasks. The id, which increases with time, decides between equal tasks, so that pages never overlap. */
export function tasksInOrder(query: ReturnType<typeof tasksMatching>, order: TaskOrder) {
  if (order.by === 'own')
    return query
      .orderBy((eb) => partOf(eb, order.caller))
      .orderBy(
        (eb) => eb.case().when('status', '=', 'open').then(eb.ref('taskAccess.due')).end(),
        (due) => due.asc().nullsLast(),
      )
      .orderBy(
        (eb) => eb.case().when('status', '!=', 'open').then(eb.ref('tasks.lastUpdated')).end(),
        (time) => time.desc().nullsLast(),
      )
      .orderBy('tasks.id', 'asc');
  const direction = order.direction === 1 ? 'asc' : 'desc';
  if (order.by === 'created') return query.orderBy('tasks.id', direction);
  return query
    .orderBy('taskAccess.due', (due) => due[direction]().nullsLast())
    .orderBy('tasks.id', direction);
}

type TaskColumns = ExpressionBuilder<Tables & { taskAccess: Tables['taskAccess'] }, 'tasks' | 'taskAccess'>;

/** Returns the part of the list: 0 assigned to the caller, 1 may be answered by the caller, 2 open, 3 finished. */
function partOf(eb: TaskColumns, { person, roles }: TaskPerson) {
  const isExcluded = eb.and([
    eb('taskAccess.excludesOwner', '=', 1),
    eb('taskAccess.owner', '=', hashOf(person)),
  ]);
  return eb
    .case()
    .when('status', '!=', 'open')
    .then(eb.lit(3))
    .when(isExcluded)
    .then(eb.lit(2))
    .when('taskAccess.assignee', 'in', hashesOf([person, ...roles]))
    .then(eb.lit(0))
    .when(hasReader(eb, [ANY_READER, ...roles]))
    .then(eb.lit(1))
    .else(eb.lit(2))
    .end();
}

/** Maximum number of reader keys of one query; SQLite limits the depth of an expression. */
const MAX_QUERIED_READERS = 200;

/**
 * Returns the condition that a task of `tasks` with its row of `taskAccess` has one of these readers. A task
 * of a version without `taskAccess` has no such row; every caller may read it.
 */
function hasReader(
  eb: ExpressionBuilder<{ taskAccess: Tables['taskAccess'] }, 'taskAccess'>,
  keys: readonly string[],
): Expression<SqlBool> {
  return eb.or([
    eb('taskAccess.readers', 'is', null),
    ...hashesOf(keys).map((hash) => eb('taskAccess.readers', 'like', `% ${hash} %`)),
  ]);
}

/** Returns the hashes of the first keys, as many as a query may have. */
function hashesOf(keys: readonly string[]): readonly string[] {
  return keys.slice(0, MAX_QUERIED_READERS).map(hashOf);
}
